//xfail:CLANG_ERROR
//--local_size=64 --num_groups=1
// Clang has no code for it.

__kernel void setjmp(__global void *data, __global int *out)
{
    out[0] = __builtin_setjmp(data);
}
