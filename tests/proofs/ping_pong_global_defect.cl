//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=1
// As ping_pong_global.cl, but the barrier is one of local memory.

__kernel void ping_pong_global_defect(__global float *a, __global float *b, int rounds)
{
    int lid = get_local_id(0);
    for (int r = 0; r < rounds; r++) {
        b[lid] = a[(lid + 1) % 128] + a[lid]; //~ race //~? race
        barrier(CLK_LOCAL_MEM_FENCE);
        __global float *other = a;
        a = b;
        b = other;
    }
}
