//pass
//--local_size=256 --num_groups=* --assume 'num_elements > 0 && num_elements <= 0x100000'
// Angular correlation of galaxies: each group compares its data set with all points, tile by tile, finds the
// bin of each angle by binary search, and counts with atomics in eight histograms, which are added up.

#define NUM_BINS 20
#define NUM_HISTS 8
#define BLOCK_SIZE 256

__kernel void tpacf(__global uint *histograms, __global const float *x_data, __global const float *y_data,
                    __global const float *z_data, __constant float *bin_bounds, int num_elements)
{
    __local float3 data_s[BLOCK_SIZE];
    __local uint hist_s[NUM_HISTS * NUM_BINS];
    int tid = get_local_id(0);
    int set = get_group_id(0) * num_elements;
    int my_hist = (tid >> 5) * NUM_BINS;

    for (int w = tid; w < NUM_HISTS * NUM_BINS; w += BLOCK_SIZE) {
        hist_s[w] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < num_elements; i += BLOCK_SIZE) {
        if (tid + i < num_elements) {
            data_s[tid] = (float3)(x_data[set + tid + i], y_data[set + tid + i], z_data[set + tid + i]); //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int j = 0; j < num_elements; j += BLOCK_SIZE) {
            if (j + tid >= num_elements) {
                continue;
            }
            float3 own = (float3)(x_data[j + tid], y_data[j + tid], z_data[j + tid]);
            for (int k = 0; k < BLOCK_SIZE && k + i < num_elements; k++) {
                float angle = dot(data_s[k], own); //~ race
                int min_bin = 0;
                int max_bin = NUM_BINS;
                while (max_bin > min_bin + 1) {
                    int middle = (min_bin + max_bin) / 2;
                    if (angle >= bin_bounds[middle]) {
                        max_bin = middle;
                    } else {
                        min_bin = middle;
                    }
                }
                atomic_inc(&hist_s[my_hist + min_bin]);
            }
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (tid < NUM_BINS) {
        uint sum = 0;
        for (int h = 0; h < NUM_HISTS; h++) {
            sum += hist_s[h * NUM_BINS + tid];
        }
        histograms[get_group_id(0) * NUM_BINS + tid] = sum;
    }
}
