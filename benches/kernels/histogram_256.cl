//pass
//--local_size=192 --num_groups=* --assume 'data_count >= 0'
// Histogram of 256 bins: one sub-histogram for every 32 work-items, counted with local atomics, and summed
// up over the group at the end.

#define BIN_COUNT 256
#define WARP_SIZE 32
#define WARP_COUNT 6

void add_byte(volatile __local uint *warp_hist, uint data)
{
#ifdef DEFECT
    warp_hist[data]++; //~ race
#else
    atomic_inc(&warp_hist[data]);
#endif
}

__kernel void histogram256(__global uint *partial_histograms, __global const uint *data, int data_count)
{
    __local uint hist[WARP_COUNT * BIN_COUNT];
    __local uint *warp_hist = hist + (get_local_id(0) / WARP_SIZE) * BIN_COUNT;

    for (int i = 0; i < BIN_COUNT / WARP_SIZE; i++) {
        hist[get_local_id(0) + i * get_local_size(0)] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int pos = get_global_id(0); pos < data_count; pos += get_global_size(0)) {
        uint four = data[pos];
        add_byte(warp_hist, four & 0xFF);
        add_byte(warp_hist, (four >> 8) & 0xFF);
        add_byte(warp_hist, (four >> 16) & 0xFF);
        add_byte(warp_hist, four >> 24);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int bin = get_local_id(0); bin < BIN_COUNT; bin += get_local_size(0)) {
        uint sum = 0;
        for (int i = 0; i < WARP_COUNT; i++) {
            sum += hist[bin + i * BIN_COUNT] & 0x07FFFFFF;
        }
        partial_histograms[get_group_id(0) * BIN_COUNT + bin] = sum;
    }
}
