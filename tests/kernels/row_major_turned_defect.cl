//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*] --num_groups=[*,*]
// As row_major_turned.cl, with the row of the wrong matrix.

__kernel void turned(__global int *to, __global const int *from, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        to[x * width + y] = from[y * width + x] + x; //~ race
    }
}
