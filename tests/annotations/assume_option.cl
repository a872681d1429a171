//pass
//--local_size=16x16 --num_groups=4x4 --assume=width>=get_global_size(0) --assume=width<=0xffff
__kernel void assume_option(__global int *image, uint width)
{
    image[get_global_id(1) * width + get_global_id(0)] = get_local_id(1);
}
