//xfail:NOT_ALL_VERIFIED
//--local_size=64
// A row may be longer than the distance between two of them: it reaches into the next thread's.
#include <cuda/pipeline>

__global__ void odd(const float *rows, float *out, unsigned n)
{
    __shared__ float row[64 * 8];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    auto pipe = cuda::make_pipeline();
    if (n <= 9 && t % 2 == 0) {
        cuda::memcpy_async(row + 8 * t, rows + 8 * i, n * sizeof(float), pipe); //~ race
    }
    pipe.producer_commit();
    pipe.consumer_wait();
    out[i] = row[8 * t]; //~ race
}
