//pass
//--local_size=64 --num_groups=16 --cl-std=CL2.0
// A generic pointer into one of two memories, asked which.

__kernel void generic_pointer_spaces(__global int *a, __local int *l, int c)
{
    int *p = c ? (int *)(a + get_global_id(0)) : (int *)(l + get_local_id(0));
    *p = 1;
    __global int *g = to_global(p);
    if (g) {
        *g = 2;
    }
    if (to_local((int *)a)) {
        a[0] = get_global_id(0);
    }
}
