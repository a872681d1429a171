//pass
//--local_size=128 --num_groups=1
// As ping_pong_pointers.cl for buffers in global memory; which one holds the result depends on the number of
// rounds.

__kernel void ping_pong_global(__global float *a, __global float *b, int rounds)
{
    int lid = get_local_id(0);
    for (int r = 0; r < rounds; r++) {
        b[lid] = a[(lid + 1) % 128] + a[lid];
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float *other = a;
        a = b;
        b = other;
    }
}
