//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=1
// What a function without a body returns may be null, also after it lay in the kernel's own memory.

__global int *slot(int index);

__kernel void null_of_unknown_function(__global int *out, int n)
{
    __global int *chosen[2];
    chosen[0] = slot(0);
    chosen[1] = slot(n);
    *chosen[n & 1] = out[0]; //~? null-dereference
}
