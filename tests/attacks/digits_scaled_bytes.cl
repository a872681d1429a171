//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=* --assume 'width > 0 && width < 65536'
// What the source multiplies wraps around: only the size of an element is multiplied as part of an address.

__kernel void digits_scaled_bytes(__global char *a, int width)
{
    ulong c = get_global_id(0), r = get_global_id(1);
    if (c < width)
        a[(r * width + c) * (1UL << 60)] = c + 3 * r; //~? race
}
