//pass
//--local_size=256 --num_groups=* --assume 'n >= 0'
// Stream compaction: the elements that are kept move to their places, which a scan in local memory and the
// bases of the groups give. That no two come to the same place rests on the values of the sums.

__kernel void compact(__global const int *in, __global int *out, __global const int *group_bases, int n)
{
    __local int sums[2][256];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    int value = gid < n ? in[gid] : 0;
    int keep = value > 0;
    int current = 0;

    sums[current][lid] = keep;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = 1; offset < 256; offset <<= 1) {
        int sum = sums[current][lid];
        if (lid >= offset) {
            sum += sums[current][lid - offset]; //~ race scan
        }
#ifndef DEFECT
        current ^= 1;
#endif
        sums[current][lid] = sum; //~ race scan
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (keep) {
        out[group_bases[get_group_id(0)] + sums[current][lid] - keep] = value; //~ race place
    }
}
