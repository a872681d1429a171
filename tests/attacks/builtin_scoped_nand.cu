//unknown
//--block-dim=64 --grid-dim=4
// No model has this operation.

__global__ void scoped_nand(int *cell)
{
    __scoped_atomic_fetch_nand(cell, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); //~ unsupported
}
