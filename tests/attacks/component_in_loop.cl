//pass
//--local_size=64 --num_groups=4
// The two halves of a group fill different components, in rows of the launch's width.

__kernel void component_in_loop(__global float2 *a, int n)
{
    uint gid = get_global_id(0);
    uint size = get_global_size(0);
    for (int i = 0; i < n; i++) {
        if (gid & 1) {
            a[i * (size / 2) + gid / 2].x = i;
        } else {
            a[i * (size / 2) + gid / 2].y = a[i * (size / 2) + gid / 2].y + 1;
        }
    }
}
