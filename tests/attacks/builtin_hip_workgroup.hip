//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The scope is the work-group, the counter is shared by all.

__global__ void hip_workgroup(int *counter)
{
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); //~ race
}
