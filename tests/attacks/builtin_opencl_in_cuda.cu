//unknown
//--block-dim=64 --grid-dim=4
// OpenCL's, which Clang knows in C++, too.

__global__ void opencl_in_cuda(_Atomic(int) *cell, int *out)
{
    *out = __opencl_atomic_load(cell, __ATOMIC_RELAXED, 1); //~ unsupported
}
