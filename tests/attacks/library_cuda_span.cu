//pass
//--block-dim=64 --grid-dim=1
// Parts of a span are those that are asked for.

#include <cuda/std/span>

__global__ void parts(int *in, int *out)
{
    int t = threadIdx.x;
    cuda::std::span<int> all(out, 128);
    cuda::std::span<int> behind = all.subspan(64, 64);
    all.first(64)[t] = t;
    all.last(64)[63 - t] = in[t];
    if (behind.size_bytes() != 256 || all.empty() || all.data() + 64 != behind.begin() || all.end() != behind.end()) in[0] = t;
    if (&all.front() != all.data() || &all.back() != all.end() - 1) in[1] = t;
}
