//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// What is a global pointer is written by two threads.

__kernel void generic_pointer_spaces_clash(__global int *a, __local int *l, int c)
{
    int *p = c ? (int *)(a + get_global_id(0) / 2) : (int *)(l + get_local_id(0));
    __global int *g = to_global(p);
    if (g) {
        *g = get_global_id(0); //~? race
    }
}
