//pass
//--block-dim=64 --grid-dim=1
// Each thread draws with an engine of its own.

#include <thrust/random.h>

__global__ void draw(float *out)
{
    int t = threadIdx.x;
    thrust::default_random_engine engine(t);
    engine.discard(t);
    thrust::uniform_real_distribution<float> real(0, 1);
    thrust::uniform_int_distribution<int> whole(0, 9);
    thrust::normal_distribution<float> normal(0, 1);
    out[t] = real(engine) + whole(engine) + normal(engine);
}
