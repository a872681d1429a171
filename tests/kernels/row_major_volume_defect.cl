//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*,*] --num_groups=[*,*,*]
// As row_major_volume.cl, with a dimension forgotten.

__kernel void volume(__global int *a, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth) {
        a[y * width + x] = x + 3 * y + 5 * z; //~ race
    }
}
