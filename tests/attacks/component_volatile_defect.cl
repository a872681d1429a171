//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As component_volatile.cl, but two threads write one component.

__kernel void halves(__global volatile int4 *out)
{
    int i = get_global_id(0);
    out[i / 2].x = i; //~ race
}
