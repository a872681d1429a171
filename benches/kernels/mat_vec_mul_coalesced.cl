//pass
//--local_size=* --num_groups=* --assume 'width <= 0x10000000 && height <= 0x10000000'
// Matrix times vector: each group takes rows with the stride of the groups, reads them coalesced, and adds
// up its partial products in local memory, in any group size.

__kernel void mat_vec_mul(__global const float *m, __global const float *v, uint width, uint height,
                          __global float *w, __local float *partial_dot_product)
{
    for (uint y = get_group_id(0); y < height; y += get_num_groups(0)) {
        __global const float *row = m + y * width;
        float sum = 0;
        for (uint x = get_local_id(0); x < width; x += get_local_size(0)) {
            sum += row[x] * v[x];
        }
        partial_dot_product[get_local_id(0)] = sum; //~ race

        for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_local_id(0) < stride) {
                partial_dot_product[get_local_id(0)] += partial_dot_product[get_local_id(0) + stride]; //~ race
            }
        }
        if (get_local_id(0) == 0) {
            w[y] = partial_dot_product[0];
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
}
