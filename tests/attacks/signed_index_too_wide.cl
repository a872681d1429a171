//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=4,4
// As signed_index.cl, one column too many: the last of a row is the first of the next.

__kernel void signed_index_too_wide(__global int *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= width && y < height) {
        out[y * width + x] = y; //~ race
    }
}
