//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// Unsigned products wrap around: far rows come to lie on near ones.

__kernel void digits_unsigned_rows(__global int *a, uint width, uint height)
{
    uint c = get_global_id(0);
    if (c < width)
        for (uint r = get_global_id(1); r < height; r += get_global_size(1))
            a[r * width + c] = c + 3 * r; //~ race
}
