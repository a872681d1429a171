//xfail:CLANG_ERROR
//--local_size=64 --num_groups=1
// OpenCL C has no functions with any number of arguments.

__kernel void variadic(__global int *out)
{
    __builtin_va_list list;
    __builtin_va_start(list, out);
}
