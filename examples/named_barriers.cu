//pass
//--local_size=128 --num_groups=2
// A warp fills a buffer for three others, in any number of rounds. They meet at two named barriers:
// who fills it does not wait until it is read, and who reads it does not wait until it is full again.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

constexpr unsigned FULL = 1, EMPTY = 2;

__global__ void __launch_bounds__(128) named_barriers(const float *in, float *out, int rounds)
{
    __shared__ float buffer[32];
    unsigned t = threadIdx.x;
    if (t < 32) {
        for (int k = 0; k < rounds; ++k) {
            if (k > 0) {
                sync(EMPTY, 128);
            }
            buffer[t] = in[k * 32 + t];
            arrive(FULL, 128);
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            sync(FULL, 128);
            sum += buffer[(t + k) % 32];
            if (k + 1 < rounds) {
                arrive(EMPTY, 128);
            }
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}
