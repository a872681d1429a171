//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The scope is the thread alone.

__global__ void hip_singlethread(int *counter)
{
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SINGLETHREAD); //~ race
}
