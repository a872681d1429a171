//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// A neighbour's cell is read between two writes to one's own.

__kernel void repeated_read_between(__global int *a, int n)
{
    int t = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[t] = i;                      //~ race first
        int next = a[(t + 1) & 7];     //~ race first second
        a[t] = next;                   //~ race second
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
