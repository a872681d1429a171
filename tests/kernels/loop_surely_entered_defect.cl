//xfail:NOT_ALL_VERIFIED
//--local_size=16 --num_groups=16
// With n = 0 nobody has written p, and what it holds need not be the same for all threads.

__kernel void loop_surely_entered(__local int *p, __global int *out, int n)
{
    const int lid = get_local_id(0);
    for (int i = 0; i < n; i++) {
        p[lid] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (p[0] == 22) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
    out[get_global_id(0)] = lid;
}
