//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Planes that are smaller than what lies in them.

__kernel void digits_flat_planes(__global int *a, int width, int height, int plane, int depth)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c < width && r < height)
        for (int z = 0; z < depth; z++)
            a[z * plane + r * width + c] = c + 3 * r + 7 * z; //~ race
}
