//unknown
//--blockDim=64 --timeout=3
// Each block hands the turn on to the next one. The proof knows turns only as tickets.

__global__ void turns(int *turn, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(turn, 0) != blockIdx.x) {
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        atomicAdd(turn, 1);
    }
}
