//pass
//--local_size=16,16 --num_groups=*,*
// Two cells at a time, in rows that have them.

__kernel void digits_wide_store_within(__global int *a, int width, int height)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (2 * c + 1 < width && r < height)
        vstore2((int2)(c, r), 0, a + r * width + 2 * c);
}
