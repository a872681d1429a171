//xfail:CLANG_ERROR
//--local_size=64 --num_groups=4
// The macro is taken away, and with it the scope.

#undef __scoped_atomic_fetch_add

__kernel void scoped_undefined(__global int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
