//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=*
// As trap_guard.cu, where the trap is for one block alone.

__global__ void trap_guard(int *a)
{
    if (gridDim.x == 1)
        __trap();
    if (threadIdx.x == 0)
        a[0] = blockIdx.x; //~ race
}
