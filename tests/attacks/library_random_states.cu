//pass
//--block-dim=64 --grid-dim=1
// Each thread begins, skips and draws with states of its own.

#include <curand_kernel.h>

__global__ void draw(curandStateMRG32k3a *first, curandStatePhilox4_32_10 *second, float *out)
{
    int t = threadIdx.x;
    curandStateXORWOW third;
    curand_init(7, t, 0, &first[t]);
    curand_init(7, t, 0, &second[t]);
    curand_init(7, t, 0, &third);
    skipahead(10, &first[t]);
    skipahead_sequence(2, &second[t]);
    skipahead_subsequence(2, &first[t]);
    out[t] = curand_normal(&first[t]) + curand_normal4(&second[t]).z + curand_log_normal(&third, 0.0f, 1.0f);
}
