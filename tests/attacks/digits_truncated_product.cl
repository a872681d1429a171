//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,*
// The product is one of 64 bits, of which an int keeps 32.

__kernel void digits_truncated_product(__global int *a, int width, int height)
{
    if ((int)get_global_id(0) < width) {
        int index = (int)(get_global_id(1) * (ulong)width + get_global_id(0));
        a[index] = get_global_id(0) + 3 * get_global_id(1); //~? race
    }
}
