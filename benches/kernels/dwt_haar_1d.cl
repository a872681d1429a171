//pass
//--local_size=256 --num_groups=* --assume 'signal_length == 2 * get_global_size(0)'
// One-dimensional Haar wavelet: each group decomposes 512 values through nine levels, the details of each
// level to their own region of the output, the group's average to a row for the next launch.

#define INV_SQRT_2 0.70710678118654752440f

__kernel void dwt_haar_1d(__global const float *in_signal, __global float *coefs, __global float *averages,
                          uint signal_length)
{
    __local float shared_array[512];
    uint local_id = get_local_id(0);
    uint group_id = get_group_id(0);
    uint local_size = get_local_size(0);

    shared_array[local_id] = in_signal[group_id * local_size * 2 + local_id];
    shared_array[local_id + local_size] = in_signal[group_id * local_size * 2 + local_size + local_id];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint active_threads = local_size;
    uint mid_out_pos = signal_length / 2;
    for (int level = 0; level < 9; level++) {
        float data0 = 0.0f;
        float data1 = 0.0f;
        if (local_id < active_threads) {
            data0 = shared_array[2 * local_id]; //~ race even
            data1 = shared_array[2 * local_id + 1]; //~ race odd
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (local_id < active_threads) {
            shared_array[local_id] = (data0 + data1) * INV_SQRT_2; //~ race even odd
            coefs[mid_out_pos + group_id * active_threads + local_id] = (data0 - data1) * INV_SQRT_2;
        }
        mid_out_pos >>= 1;
        active_threads >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (local_id == 0) {
        averages[group_id] = shared_array[0];
    }
}
