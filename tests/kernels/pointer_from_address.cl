//pass
//--local_size=64 --num_groups=16
// Addresses are computed as numbers.

__kernel void pointer_from_address(__global int *a)
{
    uintptr_t address = (uintptr_t)a + 4 * get_global_id(0);
    *(__global int *)address = 1;
    uintptr_t end = (uintptr_t)(a + 4096);
    *(__global int *)(end - 4 * get_global_id(0)) = 2;
}
