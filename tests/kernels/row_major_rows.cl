//pass
//--local_size=[*,*] --num_groups=[*,*]
// Rows of a width that is a parameter, in any launch: the index is a product of unknowns.

__kernel void rows(__global int *a, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        a[y * width + x] = x + 3 * y;
    }
}
