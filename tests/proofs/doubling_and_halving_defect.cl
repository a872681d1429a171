//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As doubling_and_halving.cl, but the left child is the neighbour's right one.

__kernel void doubling_and_halving_defect(__global const int *in, __global int *data)
{
    __local int tree[128];
    uint lid = get_local_id(0);
    tree[2 * lid] = in[get_group_id(0) * 128 + 2 * lid];
    tree[2 * lid + 1] = in[get_group_id(0) * 128 + 2 * lid + 1];
    uint offset = 1;
    for (uint d = 64; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            uint left = offset * (2 * lid + 2 * (lid == 0)) - 1;
            uint right = offset * (2 * lid + 2) - 1;
            tree[right] += tree[left]; //~ race
        }
        offset <<= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_group_id(0) * 128 + lid] = tree[lid];
    data[get_group_id(0) * 128 + lid + 64] = tree[lid + 64];
}
