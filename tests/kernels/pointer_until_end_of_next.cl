//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Each thread fills 16 elements and one more, its right neighbour's first.

__kernel void pointer_until_end_of_next(__global int *a)
{
    __global int *end = a + 16 * get_global_id(0) + 16;
    for (__global int *p = a + 16 * get_global_id(0); p <= end; p++) {
        *p = get_global_id(0); //~ race
    }
}
