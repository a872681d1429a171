//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As doubling_parameter.cl, but a node is its neighbour's child.

__kernel void doubling_parameter_defect(__global int *tree, uint n)
{
    uint lid = get_local_id(0);
    for (uint s = 1; s < 64; s <<= 1) {
        if (lid % s == 0) {
            tree[lid] += tree[lid + s]; //~ race
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
