//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The scope is the thread alone.

__global__ void nv_thread(int *counter)
{
    __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD); //~ race
}
