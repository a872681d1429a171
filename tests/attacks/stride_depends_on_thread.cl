//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Each work-item goes on by a step of its own.

__kernel void stride_depends_on_thread(__global uint *out)
{
    uint lid = get_local_id(0);
    for (uint i = lid; i < 64; i += lid + 1) {
        out[get_group_id(0) * 64 + i] = lid; //~ race
    }
}
