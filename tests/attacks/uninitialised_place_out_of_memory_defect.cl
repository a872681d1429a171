//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The same with places that nobody has written, which a run shows.

__kernel void uninitialised_place_out_of_memory_defect(__global int *out)
{
    __local int a[128], b[64];
    int t = get_local_id(0);
    a[t] = t;
    b[t] = t + 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = a[b[t] & 127]; //~ uninitialised-read
}
