//pass
//--block-dim=* --grid-dim=*
// Behind a trap nothing happens, also where Clang goes on behind it: there is one block where the write is.

__global__ void trap_guard(int *a)
{
    if (gridDim.x != 1)
        __trap();
    if (threadIdx.x == 0)
        a[0] = blockIdx.x;
}
