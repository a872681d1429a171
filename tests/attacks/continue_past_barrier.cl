//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// All threads leave the loop in the same iteration and by way of the barrier, but one skips it in an earlier iteration.

__kernel void continue_past_barrier(void)
{
    uint lid = get_local_id(0);
    uint i = 0;
    for (;;) {
        i++;
        if (i < 10 && i == lid) {
            continue;
        }
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
        if (i >= 10) {
            break;
        }
    }
}
