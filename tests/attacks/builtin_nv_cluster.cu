//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// The scope is the cluster. Blocks of different clusters race, and no run claims that they are of different ones.

__global__ void nv_cluster(int *counter)
{
    __nv_atomic_fetch_add(counter, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER); //~? race
}
