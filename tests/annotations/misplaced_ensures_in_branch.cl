//xfail:INPUT
//--local_size=64 --num_groups=4
uint half_of(uint n)
{
    if (n > 0) {
        __ensures(__return_val_uint() < 100);
    }
    return n / 2;
}

__kernel void misplaced_ensures_in_branch(__global uint *out)
{
    out[get_global_id(0)] = half_of(get_global_id(0));
}
