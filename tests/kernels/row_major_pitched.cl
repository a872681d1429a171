//pass
//--local_size=[*,*] --num_groups=[*,*]
// Rows that lie further apart than they are long, both parameters.

__kernel void pitched(__global int *a, int width, int height, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height && width <= pitch) {
        a[y * pitch + x] = x + 3 * y;
    }
}
