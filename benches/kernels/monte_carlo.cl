//pass
//--local_size=128 --num_groups=* --assume 'paths >= 0 && steps >= 0'
// Monte Carlo pricing of an Asian option: a generator's state for each work-item in global memory, normal
// deviates by Box and Muller, sums and squares added up in local memory for each group.

uint next_random(uint4 *state)
{
    uint t = (*state).x ^ ((*state).x << 11);
    (*state).x = (*state).y;
    (*state).y = (*state).z;
    (*state).z = (*state).w;
    (*state).w = ((*state).w ^ ((*state).w >> 19)) ^ (t ^ (t >> 8));
    return (*state).w;
}

float2 box_muller(uint4 *state)
{
    float u = ((float)next_random(state) + 1.0f) * 2.3283064e-10f;
    float v = (float)next_random(state) * 2.3283064e-10f;
    float r = sqrt(-2.0f * log(u));
    float c;
    float s = sincos(2.0f * M_PI_F * v, &c);
    return (float2)(r * c, r * s);
}

__kernel void monte_carlo_asian(__global uint4 *states, __global float *price_sum, __global float *price_square,
                                float s0, float strike, float drift, float volatility, int paths, int steps)
{
    __local float sums[128];
    __local float squares[128];
    int gid = get_global_id(0);
    int lid = get_local_id(0);
    uint4 state = states[gid]; //~ race read
    float sum = 0.0f;
    float square = 0.0f;

    for (int path = 0; path < paths; path++) {
        float price_a = s0;
        float price_b = s0;
        float mean_a = 0.0f;
        float mean_b = 0.0f;
        for (int step = 0; step < steps; step++) {
            float2 deviates = box_muller(&state);
            price_a *= exp(drift + volatility * deviates.x);
            price_b *= exp(drift + volatility * deviates.y);
            mean_a += price_a;
            mean_b += price_b;
        }
        float pay_a = fmax(mean_a / steps - strike, 0.0f);
        float pay_b = fmax(mean_b / steps - strike, 0.0f);
        sum += pay_a + pay_b;
        square += pay_a * pay_a + pay_b * pay_b;
    }
#ifdef DEFECT
    states[lid] = state; //~ race both read
#else
    states[gid] = state;
#endif
    sums[lid] = sum;
    squares[lid] = square;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) {
            sums[lid] += sums[lid + s];
            squares[lid] += squares[lid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        price_sum[get_group_id(0)] = sums[0];
        price_square[get_group_id(0)] = squares[0];
    }
}
