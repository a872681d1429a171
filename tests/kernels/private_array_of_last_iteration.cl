//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The array is a new one in each iteration: what the first put there is gone in the second.

__kernel void private_array_of_last_iteration(__global int *a, int n)
{
    for (int i = 0; i < 4; i++) {
        int index[10];
        if (i == 0) {
            index[n & 7] = get_global_id(0);
        }
        a[index[n & 7]] = i; //~ race
    }
}
