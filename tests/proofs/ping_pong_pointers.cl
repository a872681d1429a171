//pass
//--local_size=64 --num_groups=2
// Pointers to two local buffers change places.
// needs leaving

__kernel void ping_pong_pointers(__global const float *in, __global float *out, int rounds)
{
    __local float first[66];
    __local float second[66];
    __local float *from = first;
    __local float *to = second;
    int lid = get_local_id(0);
    first[lid + 1] = in[get_global_id(0)];
    if (lid == 0) {
        first[0] = first[65] = second[0] = second[65] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        to[lid + 1] = (from[lid] + from[lid + 2]) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local float *other = from;
        from = to;
        to = other;
    }
    out[get_global_id(0)] = from[lid + 1];
}
