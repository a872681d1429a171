//pass
//--local_size=64 --num_groups=4
// A reduction of any number of elements: the upper half, rounded up.

__kernel void odd_reduction(__global const int *in, __global int *out)
{
    __local int sum[64];
    uint lid = get_local_id(0);
    sum[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint n = 61;
    while (n > 1) {
        uint half_ = (n + 1) / 2;
        if (lid < n / 2) {
            sum[lid] += sum[lid + half_];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        n = half_;
    }
    if (lid == 0) {
        out[get_group_id(0)] = sum[0];
    }
}
