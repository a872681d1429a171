//pass
//--local_size=64 --num_groups=16
// A table at program scope, whose values are known: a permutation of each four.

__constant uint permutation[4] = {2, 0, 3, 1};

__kernel void constant_table(__global uint *a)
{
    uint gid = get_global_id(0);
    a[gid / 4 * 4 + permutation[gid % 4]] = gid;
}
