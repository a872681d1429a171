//pass
//--local_size=256 --num_groups=1
// Scan of large arrays, second level: one group walks over all block sums, a tile of 256 at a time, and
// carries the running total from tile to tile.

__kernel void scan_top(__global float *block_sums, int num_blocks)
{
    __local float lmem[2][256];
    __local float running;
    int lid = get_local_id(0);

    if (lid == 0) {
        running = 0.0f;
    }
    for (int base = 0; base < num_blocks; base += 256) {
        int i = base + lid;
        float value = i < num_blocks ? block_sums[i] : 0.0f;
        int in = 0;
        lmem[in][lid] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int offset = 1; offset < 256; offset <<= 1) {
            float sum = lmem[in][lid];
            if (lid >= offset) {
                sum += lmem[in][lid - offset];
            }
            in ^= 1;
            lmem[in][lid] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (i < num_blocks) {
            block_sums[i] = running + lmem[in][lid] - value; //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (lid == 255) {
            running += lmem[in][lid]; //~ race
        }
    }
}
