//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A `continue` in a switch takes the even threads past the barrier once.

__kernel void switch_continues_past_barrier(__global int *out)
{
    uint lid = get_local_id(0);
    int i = 0;
    while (i < 8) {
        i++;
        switch (lid & 1) {
        case 0:
            if (i == 4) {
                continue;
            }
            break;
        default:
            break;
        }
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
}
