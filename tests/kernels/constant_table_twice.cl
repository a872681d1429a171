//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The table has a value twice.

__constant uint permutation[4] = {2, 0, 3, 0};

__kernel void constant_table(__global uint *a)
{
    uint gid = get_global_id(0);
    a[gid / 4 * 4 + permutation[gid % 4]] = gid; //~ race
}
