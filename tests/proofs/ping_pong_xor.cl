//pass
//--local_size=64 --num_groups=2
// The index of the buffer flips in each round.

__kernel void ping_pong_xor(__global const float *in, __global float *out, int rounds)
{
    __local float a[2][66];
    int lid = get_local_id(0);
    int now = 0;
    a[0][lid + 1] = in[get_global_id(0)];
    if (lid == 0) {
        a[0][0] = a[0][65] = a[1][0] = a[1][65] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        a[now ^ 1][lid + 1] = (a[now][lid] + a[now][lid + 2]) / 2;
        now ^= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a[now][lid + 1];
}
