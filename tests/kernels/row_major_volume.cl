//pass
//--local_size=[*,*,*] --num_groups=[*,*,*]
// Three dimensions, all parameters: a product of a sum with a product in it.

__kernel void volume(__global int *a, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth) {
        a[(z * height + y) * width + x] = x + 3 * y + 5 * z;
    }
}
