//pass
//--local_size=[*,*,*] --num_groups=[*,*,*]
// Three dimensions, multiplied out: a product of three unknowns.

__kernel void volume_multiplied_out(__global int *a, int width, int height, int depth)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < width && y < height && z < depth) {
        a[z * height * width + y * width + x] = x + 3 * y + 5 * z;
    }
}
