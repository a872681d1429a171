//pass
//--local_size=64 --num_groups=4
// The caller must see to the precondition; the function to the postcondition.
uint half_of(uint n)
{
    __requires(n % 2 == 0);
    __ensures(__return_val_uint() * 2 == __old_int(n));
    uint result = n / 2;
    n = 0;
    return result;
}

__kernel void contract(__global uint *out)
{
    out[half_of(2 * get_global_id(0))] = 1;
}
