//pass
//--local_size=64 --num_groups=1
// needs no-access
// One tile after the other, with phases inside that a barrier ends; what is carried from tile to tile is written behind the
// last barrier of a round, and read behind the first one of the next.

__kernel void rounds_of_scans(__global int *sums, int n)
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
        sums[base + lid] = carried + tile[in][lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 63)
            carried += tile[in][lid];
    }
}
