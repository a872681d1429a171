//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A function's array does not remember the last call; this one is too large to be split into scalars.

int remember(int n, int i)
{
    int index[100];
    if (i == 0) {
        index[n & 63] = get_global_id(0);
    }
    return index[n & 63];
}

__kernel void private_array_of_last_call(__global int *a, int n)
{
    for (int i = 0; i < 4; i++) {
        a[remember(n, i)] = i; //~ race
    }
}
