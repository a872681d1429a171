//pass
//--local_size=64 --num_groups=16
// A row with a cell before it and one behind it, both of which somebody fills.

__kernel void initialised_halo(__global const float *in, __global float *out)
{
    __local float row[66];
    const int here = get_global_id(0), l = get_local_id(0);
    row[l + 1] = in[here + 1];
    if (l == 0) {
        row[0] = in[here];
    }
    if (l == 63) {
        row[65] = in[here + 2];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[here] = row[l] + row[l + 1] + row[l + 2];
}
