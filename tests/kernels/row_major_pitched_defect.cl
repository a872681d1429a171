//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As row_major_pitched.cl, with rows that may be longer than they lie apart.

__kernel void pitched(__global int *a, int width, int height, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height && pitch > 0) {
        a[y * pitch + x] = x + 3 * y; //~ race
    }
}
