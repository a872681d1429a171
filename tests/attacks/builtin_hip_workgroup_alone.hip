//pass
//--block-dim=64 --grid-dim=1
// The scope is the work-group, and there is one.

__global__ void hip_workgroup_alone(int *counter, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
