//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[4,4]
// Work-items one above the other write the same pixel.

__kernel void image_write(__write_only image2d_t image)
{
    int2 pixel = (int2)(get_global_id(0), get_global_id(0));
    write_imageui(image, pixel, (uint4)(get_global_id(1))); //~ race
}
