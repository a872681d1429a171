// race-free
// run: --local-size=[8,8] --num-groups=[2,2] --arg=image=zeros:uint*16x16
// Each work-item writes a pixel of its own.

__kernel void image_pixels(write_only image2d_t image)
{
    int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(image, pixel, (uint4)(pixel.x, pixel.y, 1, 2));
}
