//pass
//--local_size=64 --num_groups=16
// open sizes too
// A tree reduction for any group size: the stride starts at half of it and is shifted down.
// The local buffer is an argument, so the source does not say how large a group is.

__kernel void reduce_halving(__global const int *in, __global int *out, __local int *data)
{
    uint lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) {
            data[lid] += data[lid + s];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
