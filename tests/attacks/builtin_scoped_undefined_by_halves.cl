//xfail:CLANG_ERROR
//--local_size=64 --num_groups=4
// The name is broken where it is taken away, and pasted where it is used.

#undef __scoped_at\
omic_fetch_add
#define PASTE(A, B) A##B

__kernel void scoped_undefined_by_halves(__global int *counter)
{
    PASTE(__scoped_, atomic_fetch_add)(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
