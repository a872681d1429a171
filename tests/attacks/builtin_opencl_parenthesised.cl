//xfail:CLANG_ERROR
//--local_size=64 --num_groups=4
// A name in parentheses is no call of a macro with parameters.

__kernel void opencl_parenthesised(__global atomic_int *counter)
{
    (__opencl_atomic_fetch_add)(counter, 1, memory_order_relaxed, memory_scope_work_group);
}
