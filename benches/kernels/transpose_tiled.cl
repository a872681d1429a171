//pass
//--local_size=16x16 --num_groups=*,*
// Transpose of a matrix of any size through a padded tile in local memory, so that loads and stores both coalesce.

#define BLOCK_DIM 16

__kernel void transpose(__global float *odata, __global const float *idata, int width, int height)
{
    __local float block[BLOCK_DIM * (BLOCK_DIM + 1)];

    int x_index = get_global_id(0);
    int y_index = get_global_id(1);
    if (x_index < width && y_index < height) {
        int index_in = y_index * width + x_index;
        block[get_local_id(1) * (BLOCK_DIM + 1) + get_local_id(0)] = idata[index_in]; //~ race
    }

#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    x_index = get_group_id(1) * BLOCK_DIM + get_local_id(0);
    y_index = get_group_id(0) * BLOCK_DIM + get_local_id(1);
    if (x_index < height && y_index < width) {
        int index_out = y_index * height + x_index;
        odata[index_out] = block[get_local_id(0) * (BLOCK_DIM + 1) + get_local_id(1)]; //~ race
    }
}
