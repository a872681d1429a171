//pass
//--local_size=[*,*,*] --num_groups=[*,*,*]
// Each work-item takes the value of the next plane of another volume.

__kernel void planes(__global int *a, __global const int *b, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth) {
        a[(z * height + y) * width + x] = b[((z + 1) * height + y) * width + x];
    }
}
