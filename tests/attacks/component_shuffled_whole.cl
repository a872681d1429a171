//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A vector that is read as a whole, blended with another, and written as a whole, though most components stay what they are.

__kernel void component_shuffled_whole(__global float4 *out)
{
    __local float4 v;
    if (get_local_id(0) == 0) {
        v = (float4)(1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 1) {
        v = __builtin_shufflevector(v, (float4)(5), 4, 1, 2, 3); //~ race
    }
    if (get_local_id(0) == 2) {
        v.y = 7; //~ race
    }
}
