//pass
//--local_size=8,8,4 --num_groups=*,*,* --assume 'width <= 2048 && height <= 2048 && depth <= 1024'
// As digits_unsigned_planes.cl, with no more planes than fit.

__kernel void digits_unsigned_planes_within(__global uint *a, uint width, uint height, uint depth)
{
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth)
        a[(z * height + y) * width + x] = x + 3 * y + 5 * z;
}
