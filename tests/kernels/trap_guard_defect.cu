//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=*
// As trap_guard.cu, where the trap is for another number of blocks.

__global__ void trap_guard(int *a)
{
    if (gridDim.x == 1)
        __trap();
    a[threadIdx.x] = 1 + blockIdx.x; //~ race
}
