//pass
//--local_size=64 --num_groups=16
// open sizes too
// The same four bytes as a char4 and as an int: each work-item clears its pixel with one int
// write and then sets the last component.

__kernel void clear_pixels(__global char4 *pixels)
{
    uint gid = get_global_id(0);
    __global int *words = (__global int *)pixels;
    words[gid] = 0;
    pixels[gid].w = 127;
}
