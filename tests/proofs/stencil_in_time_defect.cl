//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As stencil_in_time.cl, but there is no barrier after writing.

__kernel void stencil_in_time_defect(__global float *a, int steps)
{
    int lid = get_local_id(0);
    for (int t = 0; t < steps; t++) {
        float left = a[lid], right = a[lid + 2]; //~ race
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[lid + 1] = left + right; //~ race
    }
}
