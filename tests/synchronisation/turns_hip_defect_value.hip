//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The first block hands its turn to one that is not there.

__global__ void turns_hip(int *turn, int *sums)
{
    if (threadIdx.x == 0) {
        while (__hip_atomic_load(turn, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != blockIdx.x) { //~ endless-wait
        }
    }
    __syncthreads();
    sums[threadIdx.x] = 2 * sums[threadIdx.x] + blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        __hip_atomic_store(turn, blockIdx.x + 5, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
