//pass
//--block-dim=64 --grid-dim=1
// Functions of libcu++ compute what they say.

#include <cuda/functional>
#include <cuda/std/limits>

__global__ void functions(int *out)
{
    int t = threadIdx.x;
    auto next = cuda::proclaim_return_type<int>([](int value) { return value + 64; });
    auto same = cuda::proclaim_copyable_arguments([](int value) { return value; });
    out[cuda::maximum<int>()(t, -1)] = t;
    out[next(cuda::minimum<int>()(t, 100))] = t;
    if (same(t) > cuda::std::numeric_limits<int>::max() - 1 || t == 5) out[200] = t;
}
