//pass
//--local_size=64 --num_groups=1
// As doubling_and_halving.cl for a size that is not known: nothing wraps before it is reached.

__kernel void doubling_parameter(__global int *tree, uint n)
{
    uint lid = get_local_id(0);
    for (uint s = 1; s < 64; s <<= 1) {
        if (lid % (2 * s) == 0) {
            tree[lid] += tree[lid + s];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
