//pass
//--block-dim=* --grid-dim=*
// Behind a trap nothing happens: there is one block where the write is.

__global__ void trap_guard(int *a)
{
    if (gridDim.x != 1)
        __trap();
    a[threadIdx.x] = 1 + threadIdx.x;
}
