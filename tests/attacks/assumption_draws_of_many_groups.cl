//unknown
//--local_size=256 --num_groups=256
// 65,536 numbers are apart, and all the groups together draw 163,840.

__kernel void draws_of_many_groups(__global int *list, __global uint *count)
{
    uint gid = get_global_id(0);
    for (uint i = 0; i < 2 + (gid & 1); i++) {
        uint at = atomic_add(count, 0x10000u);
        list[at >> 16] = gid;
    }
}
