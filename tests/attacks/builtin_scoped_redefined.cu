//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=4
// A macro that is its own name.

#define __hip_atomic_fetch_add __hip_atomic_fetch_add
__global__ void scoped_redefined(int *counter)
{
    __hip_atomic_fetch_add(counter, 1, __ATOMIC_RELAXED, 3);
}
