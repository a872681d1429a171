//xfail:INPUT
//--local_size=64 --num_groups=4
// The old value would be the new one.
uint next(uint n)
{
    n = n + 1;
    __ensures(__return_val_uint() == __old_int(n));
    return n;
}

__kernel void misplaced_ensures_after_change(__global uint *out)
{
    out[get_global_id(0)] = next(get_global_id(0));
}
