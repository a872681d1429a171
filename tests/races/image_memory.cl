// race-free
// run: --local-size=64 --num-groups=1 --clang-arg=-cl-std=CL2.0 --arg=image=zeros:int*64 --arg=out=zeros:int*64
// The barrier orders what is done to images, too.

__kernel void image_memory(read_write image1d_t image, __global int *out)
{
    int i = get_local_id(0);
    write_imagei(image, i, (int4)(i, 0, 0, 0));
    barrier(CLK_IMAGE_MEM_FENCE);
    out[i] = read_imagei(image, 63 - i).x;
}
