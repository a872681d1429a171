//pass
//--local_size=64 --num_groups=4
// Volatile vectors are accessed as Clang does, as a whole.

__kernel void component_volatile(volatile __global float4 *a, volatile __local float4 *b)
{
    uint gid = get_global_id(0);
    a[gid].x = gid;
    a[gid].y += a[gid].x;
}
