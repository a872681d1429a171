//pass
//--local_size=* --num_groups=* --assume 'p > 0 && (p & (p - 1)) == 0'
// One pass of an out-of-place radix-2 FFT through global memory: as many work-items as butterflies, the
// results interleaved at distance `p`, which doubles from launch to launch.

float2 cmul(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__kernel void fft_radix2(__global const float2 *x, __global float2 *y, int p)
{
    int i = get_global_id(0);
    int t = get_global_size(0);
    int k = i & (p - 1);

    float2 u0 = x[i];
    float2 u1 = x[i + t];

    float angle = -M_PI_F * (float)k / (float)p;
    float c;
    float s = sincos(angle, &c);
    float2 twisted = cmul(u1, (float2)(c, s));

    int j = (i << 1) - k;
    y[j] = u0 + twisted; //~ race
#ifdef DEFECT
    y[j + 1] = u0 - twisted; //~ race
#else
    y[j + p] = u0 - twisted;
#endif
}
