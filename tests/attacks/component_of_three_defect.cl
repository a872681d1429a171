//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_of_three.cl, past the end of the array.

__kernel void component_of_three_defect(__global float3 *out)
{
    __local float3 a[64];
    uint t = get_local_id(0);
    a[t + 1].z = t; //~ out-of-bounds
    barrier(CLK_LOCAL_MEM_FENCE);
}
