//pass
//--local_size=[8,8] --num_groups=[4,4]
// Everyone writes a pixel of their own.

__kernel void image_write(__write_only image2d_t image)
{
    int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(image, pixel, (uint4)(get_global_id(0)));
}
