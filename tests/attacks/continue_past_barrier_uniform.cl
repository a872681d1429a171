//pass
//--local_size=64 --num_groups=1
// All threads leave the loop in the same iteration and by way of the barrier, or skip it together in an earlier one.

__kernel void continue_past_barrier_uniform(__global uint *out, uint n)
{
    uint lid = get_local_id(0);
    uint i = 0;
    for (;;) {
        i++;
        if (i < 10 && i == n) {
            continue;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        out[(lid + i) % 64] = lid;
        if (i >= 10) {
            break;
        }
    }
}
