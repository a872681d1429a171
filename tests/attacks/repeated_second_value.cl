//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Another thread writes to a cell what its owner writes there first, but not what it writes right after: the first write may
// not stand for the second.

__kernel void repeated_second_value(__global int *a, int n)
{
    int t = get_local_id(0);
    for (int i = 0; i < n; i++) {
        a[t] = 5;
        a[t] = t; //~ race
        if (t == 3)
            a[2] = 5; //~ race
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
