//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --no-check=alignment
// The distance is in bytes: each int lies over those of the three next threads.

__kernel void pointer_from_address_clash(__global int *a)
{
    uintptr_t address = (uintptr_t)a + get_global_id(0);
    *(__global int *)address = 1; //~ race
}
