//pass
//--local_size=32,8 --num_groups=*
// Mean and standard deviation of each column for a correlation matrix: eight partial sums per column are added up in a tree,
// twice, and the first row of the group writes the results.

__kernel void correlation_mean_stddev(__global const float *data, __global float *mean, __global float *stddev, float eps,
                                      int m, int n)
{
    __local float shared_sum[8][32];
    int t0 = get_local_id(1), t1 = get_local_id(0);
    int j = get_group_id(0) * 32 + t1;

    float sum = 0.0f;
    if (j < m) {
        for (int i = t0; i < n; i += 8)
            sum += data[i * m + j];
    }
    shared_sum[t0][t1] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 4; s > 0; s >>= 1) {
        if (t0 < s)
            shared_sum[t0][t1] += shared_sum[t0 + s][t1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float mu = shared_sum[0][t1] / n; //~ race
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    sum = 0.0f;
    if (j < m) {
        for (int i = t0; i < n; i += 8) {
            float d = data[i * m + j] - mu;
            sum += d * d;
        }
    }
    shared_sum[t0][t1] = sum; //~ race
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 4; s > 0; s >>= 1) {
        if (t0 < s)
            shared_sum[t0][t1] += shared_sum[t0 + s][t1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t0 == 0 && j < m) {
        float deviation = sqrt(shared_sum[0][t1] / n);
        mean[j] = mu;
        stddev[j] = deviation <= eps ? 1.0f : deviation;
    }
}
