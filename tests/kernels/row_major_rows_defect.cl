//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As row_major_rows.cl, with a bound that lets one thread too many into a row.

__kernel void rows(__global int *a, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= width && y < height) {
        a[y * width + x] = x + 3 * y; //~ race
    }
}
