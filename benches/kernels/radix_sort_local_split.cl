//pass
//--local_size=128 --num_groups=*
// Third phase of a radix sort: for four bits, one after the other, each work-item's place among the keys of
// the group, by a scan of the bits in two buffers; the last place goes to an own slot, for a kernel that gathers.

__kernel void local_split(__global const uint *keys, __global uint *ranks, uint shift)
{
    __local uint flags[2][128];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    int size = get_local_size(0);
    uint key = keys[gid];
    uint rank = lid;

    for (uint bit = shift; bit < shift + 4; bit++) {
        uint is_zero = !((key >> bit) & 1);
        int in = 0;
        flags[in][lid] = is_zero;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int offset = 1; offset < size; offset <<= 1) {
            int out = 1 - in;
            uint sum = flags[in][lid];
            if (lid >= offset) {
                sum += flags[in][lid - offset]; //~ race
            }
#ifdef DEFECT
            flags[in][lid] = sum; //~ race
#else
            flags[out][lid] = sum;
            in = out;
#endif
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint zeros_before = flags[in][lid] - is_zero;
        uint zeros = flags[in][size - 1];
        rank = is_zero ? zeros_before : zeros + lid - zeros_before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ranks[gid] = rank;
}
