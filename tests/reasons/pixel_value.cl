//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// What is read from an image.
//because: is not modelled

__kernel void pixel_value(__global int *out, __read_only image2d_t image, sampler_t sampler) {
    int4 pixel = read_imagei(image, sampler, (int2)(get_global_id(0), 0));
    out[pixel.x] = get_global_id(0);
}
