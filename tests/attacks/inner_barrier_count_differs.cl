//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// In one iteration of the outer loop the threads run through the inner one differently often.

__kernel void inner_barrier_count_differs(int n)
{
    uint lid = get_local_id(0);
    for (int i = 0; i < n; i++) {
        for (uint j = 0; j < (i == 3 ? lid : 4u); j++) {
            barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
        }
    }
}
