// program: exclusive prefix sum in three passes, local memory of a size that the host chooses
// defect: scan_groups: bounds: the host gives half of the local memory that a group needs (main.c)
__kernel void scan_groups(__global const uint *in, __global uint *out, __global uint *sums, __local uint *temp, uint n)
{
    const uint gid = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    const uint own = gid < n ? in[gid] : 0;
    temp[lid] = own; //~ bounds
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < size; d <<= 1) {
        const uint left = lid >= d ? temp[lid - d] : 0; //~ bounds
        barrier(CLK_LOCAL_MEM_FENCE);
        temp[lid] += left; //~ bounds
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (gid < n)
        out[gid] = temp[lid] - own; //~ bounds
    if (lid == size - 1)
        sums[get_group_id(0)] = temp[lid]; //~ bounds
}

/* A single work-item; there are few groups. */
__kernel void scan_sums(__global uint *sums, uint groups)
{
    uint running = 0;
    for (uint g = 0; g < groups; g++) {
        const uint sum = sums[g];
        sums[g] = running;
        running += sum;
    }
}

__kernel void add_sums(__global uint *out, __global const uint *sums, uint n)
{
    const uint gid = get_global_id(0);
    if (gid < n)
        out[gid] += sums[get_group_id(0)];
}
