//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Everyone reaches one barrier, but not the same one.

__kernel void barrier_in_both_branches(__global int *out)
{
    if (get_local_id(0) < 32) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    } else {
        // Executions that go wrong at the first barrier end there, so only that one is reported.
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
