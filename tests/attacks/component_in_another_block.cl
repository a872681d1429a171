//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The vector is read before a branch and written back behind it.

__kernel void component_in_another_block(__global float4 *a, int n)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        float4 v = a[gid / 2]; //~ race
        if (n > 3) {
            v.x = n;
        }
        a[gid / 2] = v;
    } else {
        a[gid / 2].y = gid; //~ race
    }
}
