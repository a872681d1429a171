//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Everyone reaches the barrier, but not equally often.

__kernel void barrier_count_differs(__global const int *rounds)
{
    int n = rounds[get_global_id(0)];
    for (int i = 0; i < n; i++) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
}
