//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=4
// The macro is back at the end.

#pragma push_macro("__scoped_atomic_fetch_add")
#undef __scoped_atomic_fetch_add
__global__ void scoped_pop_macro(int *counter)
{
    __scoped_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
}
#pragma pop_macro("__scoped_atomic_fetch_add")
