//xfail:NOT_ALL_VERIFIED
//--timeout=20
// Threads that write different numbers race, and they would if there were more elements than threads, which no launch of the host has.
// Nothing is known of the tile behind the barrier, so no proof excludes it either.

__global__ void race_of_other_launches(int *out, unsigned n)
{
    __shared__ int tile[64];
    unsigned t = threadIdx.x;
    tile[t] = n > gridDim.x * 64 ? t : 0;
    __syncthreads();
    out[blockIdx.x] = tile[t ^ 1]; //~? race
}

void launch(int *out, unsigned n)
{
    race_of_other_launches<<<(n + 63) / 64, 64>>>(out, n);
}
