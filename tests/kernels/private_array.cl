//pass
//--local_size=64 --num_groups=16
// Indices kept in a private array, written in a loop and read at a run-time position.

__kernel void private_array(__global uint *a, uint which)
{
    uint gid = get_global_id(0);
    uint index[4];
    for (uint i = 0; i < 4; i++) {
        index[i] = 4 * gid + i;
    }
    a[index[which % 4]] = gid;
}
