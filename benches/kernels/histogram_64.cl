//pass
//--local_size=64 --num_groups=* --assume 'data_count >= 0'
// Histogram of 64 bins: every work-item counts in bytes of its own in local memory, interleaved so that four
// neighbours share a bank's word, and afterwards adds up one bin each.

#define BIN_COUNT 64
#define THREADS 64

__kernel void histogram64(__global uint *partial_histograms, __global const uint *data, int data_count)
{
    __local uchar hist[THREADS * BIN_COUNT];
    uint lid = get_local_id(0);
    uint thread_pos = (lid & 0x30) | ((lid & 3) << 2) | ((lid >> 2) & 3);

    for (int i = 0; i < BIN_COUNT; i++) {
        hist[i * THREADS + lid] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int pos = get_global_id(0); pos < data_count; pos += get_global_size(0)) {
        uint four = data[pos];
        hist[((four >> 2) & 0x3F) * THREADS + thread_pos]++; //~ race a
        hist[((four >> 10) & 0x3F) * THREADS + thread_pos]++; //~ race b
        hist[((four >> 18) & 0x3F) * THREADS + thread_pos]++; //~ race c
        hist[((four >> 26) & 0x3F) * THREADS + thread_pos]++; //~ race d
    }
#ifndef DEFECT
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    uint sum = 0;
    uint first = lid * THREADS;
    uint accum_pos = (lid & 15) * 4;
    for (int i = 0; i < THREADS; i++) {
        sum += hist[first + accum_pos]; //~ race a b c d
        accum_pos = accum_pos + 1 == THREADS ? 0 : accum_pos + 1;
    }
    partial_histograms[get_group_id(0) * BIN_COUNT + lid] = sum;
}
