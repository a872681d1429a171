//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// What shared memory holds after a barrier.
//because: the contents of t after the synchronisation at

__kernel void shared_contents(__global int *out, __local int *t, __global int *in) {
    int lid = get_local_id(0);
    t[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[lid] += lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_group_id(0) * 64 + (t[lid] & 63)] = lid;
}
