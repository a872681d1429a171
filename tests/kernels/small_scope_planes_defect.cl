//xfail:NOT_ALL_VERIFIED
//--local_size=[*,*,*] --num_groups=[*,*,*]
// As small_scope_planes.cl, in place: only work-items that differ in the third dimension and in no other meet, and only
// where width and height are at least as large as the launch.

__kernel void planes(__global int *a, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z + 1 < depth && width >= (int)get_global_size(0) && height >= (int)get_global_size(1)) {
        a[(z * height + y) * width + x] = a[((z + 1) * height + y) * width + x]; //~ race
    }
}
