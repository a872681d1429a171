//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1 --no-check=alignment
// A write of two cells repeats none of one cell, though both begin at the same place: the second cell is the next thread's.

__kernel void repeated_bytes(__global int *a, int n)
{
    int t = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[t] = i;                               //~ race one
        *(__global long *)(a + t) = i + t;      //~ race one two
    }
}
