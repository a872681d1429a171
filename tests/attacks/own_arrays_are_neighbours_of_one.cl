//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// How the variables of one thread lie to each other says nothing about those of another.

__kernel void own_arrays_are_neighbours_of_one(__global int *out, uint n, uint m)
{
    int a[8];
    int b[8];
    for (uint i = 0; i < 8; i++)
        a[i] = b[i] = n;
    int *end = a + 8;
    int *begin = b;
    if (end == begin) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
    out[get_local_id(0)] = a[n & 7] + b[m & 7];
}
