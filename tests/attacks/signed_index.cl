//pass
//--local_size=16,16 --num_groups=4,4
// Rows of an unknown width do not overlap as long as the signed index does not overflow, which C leaves undefined.

__kernel void signed_index(__global int *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        out[y * width + x] = x;
    }
}
