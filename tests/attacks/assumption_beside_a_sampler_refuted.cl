//unknown
//--local_size=4 --num_groups=1
// The pixel has no influence on the sum that overflows in every run.

__kernel void beside_a_sampler(__global int *list, __global float4 *pixels, read_only image2d_t image, sampler_t sampler)
{
    int t = get_local_id(0);
    pixels[t] = read_imagef(image, sampler, (float2)(t, 0.5f));
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
