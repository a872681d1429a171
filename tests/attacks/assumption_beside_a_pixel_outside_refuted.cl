//unknown
//--local_size=4 --num_groups=1
// In no run that is tried the image is so large, which has no influence on the sum that overflows in every run.

__kernel void beside_a_pixel_outside(__global int *list, write_only image2d_t image)
{
    int t = get_local_id(0);
    write_imagef(image, (int2)(1000000 + t, 5), (float4)(1.0f));
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
