//pass
//--local_size=64 --num_groups=4
// Each thread has a vector; which component it writes is the caller's business.

__kernel void component_computed_own(__global float4 *a, int i)
{
    uint gid = get_global_id(0);
    for (int j = 0; j < 4; j++) {
        a[gid][j] = j;
    }
    a[gid][i] = a[gid][i] + 1;
}
