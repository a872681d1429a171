//xfail:INPUT
//--local_size=64 --num_groups=4
// The second half of && is in a block of its own.
uint half_of(uint n)
{
    __ensures(__return_val_uint() <= n && __return_val_uint() < 128);
    return n / 2;
}

__kernel void misplaced_ensures_with_branch(__global uint *out)
{
    out[get_global_id(0)] = half_of(get_global_id(0));
}
