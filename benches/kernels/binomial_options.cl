//pass
//--local_size=255 --num_groups=* --assume 'num_steps >= 0 && num_steps < 255'
// Binomial option pricing: a group for each option, the tree folded up in two local arrays that take turns.

__kernel void binomial_options(int num_steps, __global const float4 *rand_array, __global float4 *output,
                               __local float4 *call_a, __local float4 *call_b)
{
    unsigned int tid = get_local_id(0);
    unsigned int bid = get_group_id(0);
    float4 in_rand = rand_array[bid];
    float4 s = (1.0f - in_rand) * 5.0f + in_rand * 30.0f;
    float4 x = (1.0f - in_rand) * 1.0f + in_rand * 100.0f;
    float4 option_years = (1.0f - in_rand) * 0.25f + in_rand * 10.0f;
    float4 dt = option_years * (1.0f / (float)num_steps);
    float4 vsdt = 0.3f * sqrt(dt);
    float4 r_inv = exp(-0.02f * dt);
    float4 u = exp(vsdt);
    float4 d = 1.0f / u;
    float4 pu = (exp(0.02f * dt) - d) / (u - d);
    float4 pd = 1.0f - pu;

    float4 profit = s * exp(vsdt * (2.0f * tid - (float)num_steps)) - x;
    call_a[tid] = fmax(profit, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int j = num_steps; j > 0; j -= 2) {
        if (tid < j) {
            call_b[tid] = r_inv * (pu * call_a[tid] + pd * call_a[tid + 1]); //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (tid < j - 1) {
            call_a[tid] = r_inv * (pu * call_b[tid] + pd * call_b[tid + 1]); //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0) {
        output[bid] = call_a[0];
    }
}
