//pass
//--local_size=16x16 --num_groups=4x4 --assume=width>0 --assume=width>=get_global_size(0)
__kernel void assume_option(__global int *image, int width)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    image[y * width + x] = y;
}
