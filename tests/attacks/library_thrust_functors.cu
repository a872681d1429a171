//pass
//--block-dim=64 --grid-dim=1
// Functors compute what they say.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    out[thrust::plus<int>()(t, 64)] = t;
    out[thrust::minus<int>()(191, t)] = t;
    out[192 + thrust::multiplies<int>()(t, 2)] = t;
    out[400 + thrust::divides<int>()(2 * t, 2)] = t;
    out[500 + thrust::modulus<int>()(t, 64)] = t;
    out[600 + thrust::maximum<int>()(t, -1)] = t;
    out[700 + thrust::minimum<int>()(t, 100)] = t;
    out[800 + thrust::bit_and<int>()(t, 63)] = t;
    out[thrust::bit_or<int>()(t, 1024)] = t;
    out[1200 + thrust::bit_xor<int>()(t, 21)] = t;
    out[1300 + thrust::identity<int>()(t)] = t;
    out[1500 + thrust::negate<int>()(t)] = t;
    out[1600 + thrust::square<int>()(t)] = t;
    out[8000 + thrust::project1st<int>()(t, 0)] = t;
    out[9000 + thrust::project2nd<int>()(0, t)] = t;
}
