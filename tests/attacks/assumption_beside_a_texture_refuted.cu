//unknown
//--block-dim=4 --grid-dim=1
// The texel has no influence on the sum that overflows in every run.
#include <cuda_runtime.h>

__global__ void beside_a_texture(int *list, float *numbers, cudaTextureObject_t texture)
{
    int t = threadIdx.x;
    numbers[t] = tex2D<float>(texture, t, 0.5f);
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
