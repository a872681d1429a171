//pass
//--local_size=48 --num_groups=4
// Each group fills its own tile; the stride is the size of the group, which is no power of two or open.

__kernel void stride_local_size(__global int *out, int n)
{
    __local int tile[4096];
    for (int i = get_local_id(0); i < 4096; i += get_local_size(0)) {
        tile[i] = get_local_id(0) + n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[4095 - get_local_id(0)];
}
