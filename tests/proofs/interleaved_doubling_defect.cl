//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=4
// As interleaved_doubling.cl, but a node is its neighbour's child.

__kernel void interleaved_doubling_defect(__global const int *in, __global int *out)
{
    __local int sum[256];
    uint lid = get_local_id(0);
    sum[2 * lid] = in[get_global_id(0)];
    sum[2 * lid + 1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < 128; s *= 2) {
        uint index = s * lid;
        if (index < 128) {
            sum[index] += sum[index + s]; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        out[get_group_id(0)] = sum[0];
    }
}
