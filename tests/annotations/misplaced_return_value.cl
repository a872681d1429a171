//xfail:INPUT
//--local_size=64 --num_groups=4
// A kernel returns nothing.
__kernel void misplaced_return_value(__global uint *out)
{
    __ensures(__return_val_uint() == 0);
    out[get_global_id(0)] = 0;
}
