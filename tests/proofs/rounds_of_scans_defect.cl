//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As rounds_of_scans.cl, but no barrier is between the reads of what is carried and the write.

__kernel void rounds_of_scans_defect(__global int *sums, int n)
{
    __local int tile[2][64];
    __local int carried;
    int lid = get_local_id(0);
    if (lid == 0)
        carried = 0;
    for (int base = 0; base < n; base += 64) {
        int in = 0;
        tile[0][lid] = sums[base + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int offset = 1; offset < 64; offset *= 2) {
            int sum = tile[in][lid];
            if (lid >= offset)
                sum += tile[in][lid - offset];
            in ^= 1;
            tile[in][lid] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        sums[base + lid] = carried + tile[in][lid]; //~ race
        if (lid == 63)
            carried += tile[in][lid]; //~ race
    }
}
