//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The counter wraps: several blocks draw the number 0.

__global__ void k(int *partial, unsigned *count, int *out)
{
    if (threadIdx.x == 0) {
        unsigned ticket = atomicInc(count, 1);
        __threadfence();
        if (ticket == 0) { partial[0] = blockIdx.x; out[0] = blockIdx.x; } //~ race
    }
}
