//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As char4_and_int.cl, but the component set is that of the next pixel, which the next
// work-item clears.

__kernel void clear_pixels(__global char4 *pixels)
{
    uint gid = get_global_id(0);
    __global int *words = (__global int *)pixels;
    words[gid] = 0; //~ race
    pixels[gid + 1].w = 127; //~ race
}
