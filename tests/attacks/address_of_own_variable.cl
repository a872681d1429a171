//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Every thread's private variable may lie somewhere else.

__kernel void address_of_own_variable(__global int *out, int n)
{
    int own[2] = {n, n + 1};
    int *pointer = own;
    if (((size_t)pointer >> 4) & 1) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
    out[get_local_id(0)] = own[n & 1];
}
