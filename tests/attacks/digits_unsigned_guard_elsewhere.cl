//xfail:NOT_ALL_VERIFIED
//--local_size=16,16 --num_groups=*,* --assume 'width <= 65536 && height <= 65536'
// The number of the cell is computed once and bounded for one of two accesses.

__kernel void digits_unsigned_guard_elsewhere(__global uint *a, __global uint *b, uint width, uint height)
{
    uint c = get_global_id(0), r = get_global_id(1);
    uint cell = r * width + c;
    if (c < width) {
        if (r < height)
            a[cell] = c + 3 * r;
        b[cell] = c + 3 * r; //~ race
    }
}
