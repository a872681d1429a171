//pass
//--local_size=256 --num_groups=* --assume 'n < 0x40000000'
// Sum of an array with a grid stride, two elements at a time, and a tree in local memory that is unrolled
// down to the last pair.

__kernel void reduce(__global const float *g_idata, __global float *g_odata, uint n)
{
    __local float sdata[256];
    uint tid = get_local_id(0);
    uint i = get_group_id(0) * (get_local_size(0) * 2) + tid;
    uint grid_size = get_local_size(0) * 2 * get_num_groups(0);

    float sum = 0.0f;
    while (i < n) {
        sum += g_idata[i];
        if (i + get_local_size(0) < n) {
            sum += g_idata[i + get_local_size(0)];
        }
        i += grid_size;
    }
    sdata[tid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (tid < 128) {
        sdata[tid] += sdata[tid + 128];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < 64) {
        sdata[tid] += sdata[tid + 64];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < 32) {
        sdata[tid] += sdata[tid + 32];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < 16) {
        sdata[tid] += sdata[tid + 16]; //~ race
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (tid < 8) {
        sdata[tid] += sdata[tid + 8]; //~ race
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < 4) {
        sdata[tid] += sdata[tid + 4];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < 2) {
        sdata[tid] += sdata[tid + 2];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid == 0) {
        g_odata[get_group_id(0)] = sdata[0] + sdata[1];
    }
}
