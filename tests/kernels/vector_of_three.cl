//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A float3 takes the room of a float4 in memory, which vstore3 doesn't know.

__kernel void vector_of_three(__global float3 *vectors, __global const float *in)
{
    uint gid = get_global_id(0);
    vectors[gid] = vload3(gid, in); //~ race
    vstore3(vload3(gid, in), gid, (__global float *)vectors); //~ race
}
