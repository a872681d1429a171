//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Unsigned multiplication wraps around: 16 work-items on, the index is the same.

__kernel void unsigned_wrap(__global uint *out)
{
    uint gid = get_global_id(0);
    out[gid * 0x10000000u] = gid; //~? race
}
