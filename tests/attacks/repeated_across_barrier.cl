//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Two writes to one cell with a barrier between them: only the second is pending when a neighbour reads.

__kernel void repeated_across_barrier(__global int *a, __global int *b, int n)
{
    int t = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[t] = i;
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[t] = i + 1;            //~ race
        b[t] = a[(t + 1) & 7];   //~ race
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
