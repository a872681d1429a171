//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The count at which a work-item left its loop, used as an index beside a uniform one.

__kernel void divergent_exit_index(__global const uint *in, __global uint *out)
{
    uint lid = get_local_id(0);
    uint i = 0;
    while (i < 4 && in[get_global_id(0)] > i) {
        i++;
    }
    out[get_group_id(0) * 128 + lid + i] = lid; //~ race
}
