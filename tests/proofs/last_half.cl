//pass
//--local_size=64 --num_groups=1
// needs last-round
// Two halves in turn, with a barrier at the beginning of a round: what the last one has written is pending after the loop,
// and what the one before has is not.

__kernel void last_half(__global int *out, __global const int *in, int rounds)
{
    __local int halves[128];
    int lid = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        halves[(i & 1) * 64 + lid] = in[i * 64 + lid];
        sum += halves[(i + 1 & 1) * 64 + 63 - lid];
    }
    out[lid] = sum + halves[(rounds & 1) * 64 + 63 - lid];
}
