//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The vector is read before a barrier, and written back behind it, where another thread writes a component.

__kernel void component_over_barrier(__global float4 *a)
{
    uint t = get_local_id(0);
    float4 v = a[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) {
        v.x = 1;
        a[0] = v; //~ race
    } else if (t == 1) {
        a[0].y = 2; //~ race
    }
}
