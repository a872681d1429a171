//pass
//--local_size=* --num_groups=* --assume 'option_count <= 0x40000000'
// European options by Black and Scholes, with a grid stride.

float cnd(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float poly = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    float result = 0.39894228040143267793994605993438f * exp(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - result : result;
}

__kernel void black_scholes(__global float *d_call, __global float *d_put, __global const float *d_s,
                            __global const float *d_x, __global const float *d_t, float r, float v, uint option_count)
{
    for (uint opt = get_global_id(0); opt < option_count; opt += get_global_size(0)) {
        float s = d_s[opt];
        float x = d_x[opt];
        float t = d_t[opt];
        float sqrt_t = sqrt(t);
        float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * sqrt_t);
        float d2 = d1 - v * sqrt_t;
        float exp_rt = exp(-r * t);
        d_call[opt] = s * cnd(d1) - x * exp_rt * cnd(d2); //~ race
#ifdef DEFECT
        d_call[opt + 1] = x * exp_rt * (1.0f - cnd(d2)) - s * (1.0f - cnd(d1)); //~ race
#else
        d_put[opt] = x * exp_rt * (1.0f - cnd(d2)) - s * (1.0f - cnd(d1));
#endif
    }
}
