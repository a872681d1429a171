//pass
//--local_size=64 --num_groups=2
// The stages of a Fourier transform of 128 elements.

__kernel void transform(__global const float2 *in, __global float2 *out)
{
    __local float2 a[128];
    uint lid = get_local_id(0);
    a[lid] = in[get_group_id(0) * 128 + lid];
    a[lid + 64] = in[get_group_id(0) * 128 + lid + 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint span = 64; span > 0; span >>= 1) {
        uint low = lid & (span - 1);
        uint at = ((lid - low) << 1) + low;
        float2 x = a[at], y = a[at + span];
        a[at] = x + y;
        a[at + span] = x - y;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_group_id(0) * 128 + lid] = a[lid];
    out[get_group_id(0) * 128 + lid + 64] = a[lid + 64];
}
