//unknown
//--block-dim=4 --grid-dim=1
// The number that is drawn by chance has no influence on the sum that overflows in every run.
#include <curand_kernel.h>

__global__ void beside_a_number_by_chance(int *list, float *numbers)
{
    int t = threadIdx.x;
    curandState state;
    curand_init(1234, t, 0, &state);
    numbers[t] = curand_uniform(&state);
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
