//xfail:NOT_ALL_VERIFIED
//--local_size=8,8,4 --num_groups=1,1,257 --assume 'width <= 2048 && height <= 2048'
// Planes of rows: plane 1024 begins where plane 0 does.

__kernel void digits_unsigned_planes(__global uint *a, uint width, uint height, uint depth)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth)
        a[(z * height + y) * width + x] = x + 3 * y + 5 * z; //~ race
}
