//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=1
// A launch of one thread has no pair of threads, but its accesses are checked.

__kernel void alone_null(__global int *out, int n)
{
    __global int *p = n > 3 ? out : 0;
    *p = 1; //~ null-dereference
}
