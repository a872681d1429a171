//unknown
//--block-dim=256 --grid-dim=1
// 256 numbers are apart, and 384 are drawn, after so much else that a short run does not come to it.

__global__ void draws_after_a_long_loop(int *list, unsigned step)
{
    __shared__ unsigned count;
    unsigned t = threadIdx.x, sum = 0;
    if (t == 0) {
        count = 0;
    }
    __syncthreads();
    for (unsigned i = 0; i < 1200; i++) {
        sum += i * step;
    }
    for (unsigned i = 0; i < 1 + (t & 1); i++) {
        unsigned at = atomicAdd(&count, 1u << 24);
        list[at >> 24] = t + sum;
    }
}
