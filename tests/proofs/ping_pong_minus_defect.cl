//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As ping_pong_minus.cl, but it adds from the buffer that it writes.

__kernel void ping_pong_minus_defect(__global const int *in, __global int *out)
{
    __local int a[128];
    int lid = get_local_id(0);
    int write_ = 0, read_ = 1;
    a[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d *= 2) {
        write_ = 1 - write_;
        read_ = 1 - write_;
        if (lid >= d) {
            a[write_ * 64 + lid] = a[read_ * 64 + lid] + a[write_ * 64 + lid - d]; //~ race a b
        } else {
            a[write_ * 64 + lid] = a[read_ * 64 + lid]; //~ race b
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a[write_ * 64 + lid];
}
