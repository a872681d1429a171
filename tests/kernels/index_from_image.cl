//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[4,4]
// What is read from an image is unknown.

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void index_from_image(__read_only image2d_t image, __global uint *out)
{
    int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    uint i = read_imageui(image, nearest, pixel).x;
    out[i] = pixel.x + pixel.y; //~? race
}
