//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As transform.cl, but pairs overlap.

__kernel void transform_defect(__global const float2 *in, __global float2 *out)
{
    __local float2 a[128];
    uint lid = get_local_id(0);
    a[lid] = in[get_group_id(0) * 128 + lid];
    a[lid + 64] = in[get_group_id(0) * 128 + lid + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint span = 64; span > 0; span >>= 1) {
        uint low = lid & (span - 1);
        uint at = ((lid - low)) + low;
        float2 x = a[at], y = a[at + span]; //~ race a b
        a[at] = x + y; //~ race a c d
        a[at + span] = x - y; //~ race b d e
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_group_id(0) * 128 + lid] = a[lid];
    out[get_group_id(0) * 128 + lid + 64] = a[lid + 64];
}
