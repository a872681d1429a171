//unknown
//--local_size=64 --num_groups=4
// No model has this operation.

__kernel void atomic_nand(__global int *cell)
{
    __atomic_fetch_nand(cell, 1, __ATOMIC_RELAXED); //~ unsupported
}
