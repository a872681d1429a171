//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Nobody fills the cell behind the row, which the last thread reads.

__kernel void initialised_halo(__global const float *in, __global float *out)
{
    __local float row[66];
    const int here = get_global_id(0), l = get_local_id(0);
    row[l + 1] = in[here + 1];
    if (l == 0) {
        row[0] = in[here];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[here] = row[l] + row[l + 1] + row[l + 2]; //~ uninitialised-read
}
