//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_halving.cl, but the barrier has moved into the conditional: only the work-items
// that add something reach it, and wait for the others for ever.

__kernel void reduce_halving(__global const int *in, __global int *out, __local int *data)
{
    uint lid = get_local_id(0);
    data[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (lid < s) {
            data[lid] += data[lid + s];
            barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
        }
    }

    if (lid == 0) {
        out[get_group_id(0)] = data[0];
    }
}
