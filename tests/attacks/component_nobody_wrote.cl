//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_of_local.cl, but one component is read that nobody has written.

__kernel void component_nobody_wrote(__global float *out)
{
    __local float4 a[1];
    if (get_local_id(0) == 0) {
        a[0].x = 5;
        a[0].zw = (float2)(2, 3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[0].y; //~ uninitialised-read
}
