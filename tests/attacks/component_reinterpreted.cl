//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Nearly what Clang makes of `v.xyz = w`, but the whole vector is read and written.

__kernel void component_reinterpreted(float3 w)
{
    __local float4 v;
    if (get_local_id(0) == 0) {
        v = (float4)(1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        v = __builtin_shufflevector(v, as_float4(w), 4, 5, 6, 3); //~ race
    } else if (get_local_id(0) == 1) {
        v.w = 7; //~ race
    }
}
