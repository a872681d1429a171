//pass
//--local_size=16,4 --num_groups=*,* --assume 'pitch >= image_w && image_w > 0'
// Separable convolution, rows: a work-item loads and computes eight pixels a group's width apart, and one step of halo to
// the left and to the right, with zeros outside the image.

#define KERNEL_RADIUS 8
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define BLOCKDIM_X 16
#define BLOCKDIM_Y 4
#define RESULT_STEPS 8
#define HALO_STEPS 1

__kernel void convolution_rows(__global float *d_dst, __global const float *d_src, __constant float *c_kernel, int image_w,
                               int image_h, int pitch)
{
    __local float l_data[BLOCKDIM_Y][(RESULT_STEPS + 2 * HALO_STEPS) * BLOCKDIM_X];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int base_x = ((int)get_group_id(0) * RESULT_STEPS - HALO_STEPS) * BLOCKDIM_X + lx;
    const int base_y = get_group_id(1) * BLOCKDIM_Y + ly;

    d_src += base_y * pitch + base_x;
    d_dst += base_y * pitch + base_x;

    for (int i = HALO_STEPS; i < HALO_STEPS + RESULT_STEPS; i++)
        l_data[ly][lx + i * BLOCKDIM_X] = base_x + i * BLOCKDIM_X < image_w && base_y < image_h ? d_src[i * BLOCKDIM_X] : 0.0f; //~ race a
    for (int i = 0; i < HALO_STEPS; i++)
        l_data[ly][lx + i * BLOCKDIM_X] = base_x + i * BLOCKDIM_X >= 0 && base_y < image_h ? d_src[i * BLOCKDIM_X] : 0.0f; //~ race b
    for (int i = HALO_STEPS + RESULT_STEPS; i < HALO_STEPS + RESULT_STEPS + HALO_STEPS; i++)
        l_data[ly][lx + i * BLOCKDIM_X] = base_x + i * BLOCKDIM_X < image_w && base_y < image_h ? d_src[i * BLOCKDIM_X] : 0.0f; //~ race c

#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int i = HALO_STEPS; i < HALO_STEPS + RESULT_STEPS; i++) {
        float sum = 0;
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_kernel[KERNEL_RADIUS - j] * l_data[ly][lx + i * BLOCKDIM_X + j]; //~ race a b c
        if (base_x + i * BLOCKDIM_X < image_w && base_y < image_h)
            d_dst[i * BLOCKDIM_X] = sum;
    }
}
