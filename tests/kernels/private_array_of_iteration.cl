//pass
//--local_size=64 --num_groups=16
// An array declared in a loop's body, written before it is read in every iteration.

__kernel void private_array_of_iteration(__global int *a, int n)
{
    for (int i = 0; i < 4; i++) {
        int index[10];
        int far[100];
        index[n & 7] = get_global_id(0);
        far[n & 63] = get_global_id(0);
        a[index[n & 7]] = i;
        a[far[n & 63] + 1024] = i;
    }
}
