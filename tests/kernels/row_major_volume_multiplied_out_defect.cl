//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*,*] --num_groups=[*,*,*]
// As row_major_volume_multiplied_out.cl, with a factor forgotten.

__kernel void volume_multiplied_out(__global int *a, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth) {
        a[z * height + y * width + x] = x + 3 * y + 5 * z; //~ race
    }
}
