//pass
//--local_size=64 --num_groups=1
// A stencil in place: every step reads, waits, writes, waits.
// needs no-access

__kernel void stencil_in_time(__global float *a, int steps)
{
    int lid = get_local_id(0);
    for (int t = 0; t < steps; t++) {
        float left = a[lid], right = a[lid + 2];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[lid + 1] = left + right;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
