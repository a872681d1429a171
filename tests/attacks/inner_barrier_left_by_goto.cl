//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// One thread leaves the inner loop early, in one iteration of the outer one; all go on together after that.

__kernel void inner_barrier_left_by_goto(__global int *out)
{
    uint lid = get_local_id(0);
    for (int i = 0; i < 4; i++) {
        for (int j = 0;; j++) {
            if (j == 1 && i == 2 && lid == 9) {
                goto next;
            }
            barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
            if (j >= 3) {
                break;
            }
        }
    next:
        out[lid] = i;
    }
}
