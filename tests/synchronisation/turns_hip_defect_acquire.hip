//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Who has its turn acquires nothing.

__global__ void turns_hip(int *turn, int *sums)
{
    if (threadIdx.x == 0) {
        while (__hip_atomic_load(turn, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != blockIdx.x) {
        }
    }
    __syncthreads();
    sums[threadIdx.x] = 2 * sums[threadIdx.x] + blockIdx.x; //~ race
    __syncthreads();
    if (threadIdx.x == 0)
        __hip_atomic_store(turn, blockIdx.x + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
