//pass
//--local_size=256 --num_groups=1 --assume 'num_blocks > 0 && num_blocks <= 256'
// Second phase of a radix sort: one group scans the counts of all blocks, digit after digit, in a
// double-length array whose lower half is zero, and carries the total on to the next digit.

__kernel void scan_sums(__global uint *block_sums, int num_blocks)
{
    __local uint lmem[2 * 256];
    __local uint carry;
    int tid = get_local_id(0);

    lmem[tid] = 0;
    if (tid == 0) {
        carry = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int d = 0; d < 16; d++) {
        uint value = tid < num_blocks ? block_sums[d * num_blocks + tid] : 0;
        int index = tid + 256;
        lmem[index] = value;
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int offset = 1; offset < 256; offset *= 2) {
            uint left = lmem[index - offset];
            barrier(CLK_LOCAL_MEM_FENCE);
            lmem[index] += left;
            barrier(CLK_LOCAL_MEM_FENCE);
        }

        if (tid < num_blocks) {
            block_sums[d * num_blocks + tid] = lmem[index] - value + carry; //~ race
        }
#ifndef DEFECT
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (tid == 255) {
            carry += lmem[index]; //~ race
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
