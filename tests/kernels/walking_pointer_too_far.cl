//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A pointer walks one element too far.

__kernel void walking_pointer(__global uint *a)
{
    __global uint *p = a + 8 * get_global_id(0);
    __global uint *last = p + 8;
    do {
        *p = get_global_id(0); //~ race
    } while (p++ != last);
}
