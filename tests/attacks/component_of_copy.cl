//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The vector is read into a variable, a component of that is changed, and the whole is written back: the other components
// are written, too, and what another thread has written there is lost.

__kernel void component_of_copy(__global float4 *a)
{
    uint gid = get_global_id(0);
    __global float4 *p = &a[gid / 2];
    if (gid & 1) {
        float4 v = *p; //~ race
        v.x = gid;
        *p = v;
    } else {
        p->y = gid; //~ race
    }
}
