//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// All work-items count in step, but leave the loop at different counts: the count is not the
// same for all after the loop.

__kernel void divergent_exit_value(__global const int *in)
{
    int i;
    for (i = 0; i < 10; i++) {
        if (in[get_global_id(0) * 10 + i] == 0) {
            break;
        }
    }
    if (i == 10) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
}
