//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_in_loop.cl, but the rows overlap.

__kernel void component_in_loop_defect(__global float2 *a, int n)
{
    uint gid = get_global_id(0);
    for (int i = 0; i < n; i++) {
        if (gid & 1) {
            a[i + gid / 2].x = i; //~ race
        } else {
            a[i + gid / 2].y = 1;
        }
    }
}
