//pass
//--local_size=64 --num_groups=4
// Two threads write different components of one vector: each is a memory location of its own.

__kernel void component_two_threads(__global float4 *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].x = gid;
    } else {
        a[gid / 2].z = gid;
    }
}
