//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Writes of a loop share a site; those behind it do not, and only the last one differs from what the neighbour writes.

__kernel void beside_straight_writes(__global int *a, __global int *b, int n)
{
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        b[i] = k;
        b[i] = k + 1;
    }
    a[i] = 5;
    a[i + 1] = 5; //~ race
    a[i] = 7; //~ race
}
