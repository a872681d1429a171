//pass
//--local_size=16,8 --num_groups=*,* --assume 'pitch >= get_global_size(0) && pitch > 0'
// Separable convolution, columns, of an image padded to whole tiles: local memory is transposed and padded by a column against
// bank conflicts.

#define KERNEL_RADIUS 8
#define BLOCKDIM_X 16
#define BLOCKDIM_Y 8
#define RESULT_STEPS 8
#define HALO_STEPS 1

__kernel __attribute__((reqd_work_group_size(BLOCKDIM_X, BLOCKDIM_Y, 1)))
void convolution_columns(__global float *d_dst, __global const float *d_src, __constant float *c_kernel, int image_h, int pitch)
{
    __local float l_data[BLOCKDIM_X][(RESULT_STEPS + 2 * HALO_STEPS) * BLOCKDIM_Y + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int base_x = get_group_id(0) * BLOCKDIM_X + lx;
#ifdef DEFECT
    const int base_y = ((int)get_group_id(1) * (RESULT_STEPS - HALO_STEPS) - HALO_STEPS) * BLOCKDIM_Y + ly;
#else
    const int base_y = ((int)get_group_id(1) * RESULT_STEPS - HALO_STEPS) * BLOCKDIM_Y + ly;
#endif

    for (int i = HALO_STEPS; i < HALO_STEPS + RESULT_STEPS; i++)
        l_data[lx][ly + i * BLOCKDIM_Y] = base_y + i * BLOCKDIM_Y < image_h ? d_src[(base_y + i * BLOCKDIM_Y) * pitch + base_x] : 0.0f;
    for (int i = 0; i < HALO_STEPS; i++)
        l_data[lx][ly + i * BLOCKDIM_Y] = base_y >= -i * BLOCKDIM_Y ? d_src[(base_y + i * BLOCKDIM_Y) * pitch + base_x] : 0.0f;
    for (int i = HALO_STEPS + RESULT_STEPS; i < HALO_STEPS + RESULT_STEPS + HALO_STEPS; i++)
        l_data[lx][ly + i * BLOCKDIM_Y] = image_h - base_y > i * BLOCKDIM_Y ? d_src[(base_y + i * BLOCKDIM_Y) * pitch + base_x] : 0.0f;

    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = HALO_STEPS; i < HALO_STEPS + RESULT_STEPS; i++) {
        float sum = 0;
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_kernel[KERNEL_RADIUS - j] * l_data[lx][ly + i * BLOCKDIM_Y + j];
        if (base_y + i * BLOCKDIM_Y < image_h)
            d_dst[(base_y + i * BLOCKDIM_Y) * pitch + base_x] = sum; //~? race
    }
}
