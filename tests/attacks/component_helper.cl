//pass
//--local_size=64 --num_groups=4 --cl-std=CL2.0
// A function changes a component through a pointer, of private and of global memory.

void set(float4 *p, float x)
{
    p->y = x;
    p->w += x;
}

__kernel void component_helper(__global float4 *a, __global float *out)
{
    uint gid = get_global_id(0);
    float4 own = (float4)(gid);
    set(&own, 2);
    if (gid & 1) {
        set(&a[gid / 2], own.y);
    } else {
        a[gid / 2].xz = own.xz;
    }
}
