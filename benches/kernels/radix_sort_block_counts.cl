//pass
//--local_size=256 --num_groups=* --assume 'n >= 0'
// First phase of a radix sort: each group counts the sixteen digits in its region of the keys, in registers,
// and adds up its work-items' counts in local memory, one digit after the other.

#define RADIX 16

__kernel void block_counts(__global const uint *keys, __global uint *block_sums, int n, uint shift)
{
    __local uint lmem[256];
    int tid = get_local_id(0);
    int group = get_group_id(0);
    int num_groups = get_num_groups(0);
    int region = ((n / 4) / num_groups) * 4;
    int start = group * region;
    int stop = (group == num_groups - 1) ? n : start + region;

    uint counts[RADIX];
    for (int d = 0; d < RADIX; d++) {
        counts[d] = 0;
    }
    for (int i = start + tid; i < stop; i += get_local_size(0)) {
        counts[(keys[i] >> shift) & (RADIX - 1)]++;
    }

    for (int d = 0; d < RADIX; d++) {
        lmem[tid] = counts[d];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
            if (tid < s) {
                lmem[tid] += lmem[tid + s];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (tid == 0) {
#ifdef DEFECT
            block_sums[d * RADIX + group] = lmem[0]; //~ race
#else
            block_sums[d * num_groups + group] = lmem[0];
#endif
        }
    }
}
