//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The last index of the private array is the right neighbour's first.

__kernel void private_array(__global uint *a, __global const uint *which)
{
    uint gid = get_global_id(0);
    uint index[4];
    for (uint i = 0; i < 4; i++) {
        index[i] = 3 * gid + i;
    }
    a[index[which[gid] % 4]] = gid; //~ race
}
