//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=4
// As halving_signed.cl, but a thread too many.

__kernel void halving_signed_defect(__global const float *in, __global float *out)
{
    __local float sum[160];
    int lid = get_local_id(0);
    sum[lid] = in[get_global_id(0)];
    if (lid < 32) {
        sum[128 + lid] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid <= s) {
            sum[lid] += sum[lid + s]; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        out[get_group_id(0)] = sum[0];
    }
}
