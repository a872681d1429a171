//pass
//--local_size=96 --num_groups=4
// A reduction of 96 elements, whose last halves are odd.

__kernel void halving_96(__global const int *in, __global int *out)
{
    __local int sum[96];
    int lid = get_local_id(0);
    sum[lid] = in[get_global_id(0)];
    for (int s = 48; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s) {
            sum[lid] += sum[lid + s];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 96 + lid] = sum[0];
}
