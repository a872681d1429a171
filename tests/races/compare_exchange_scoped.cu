// race-free
// run: --block-dim 1 --grid-dim 2
// As compare_exchange_that_fails.cu, with Clang's own functions.

__global__ void compare_exchange_scoped(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __scoped_atomic_store_n(flag, 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
    } else {
        int expected = 5;
        while (expected != 1) {
            expected = 5;
            __scoped_atomic_compare_exchange_n(flag, &expected, 7, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                               __MEMORY_SCOPE_DEVICE);
        }
        *out = *data;
    }
}
