// An indirect call by a table of functions in global memory.
// launch: --local_size=64
// defect: the functions add to a cell that neighbours have as well.
// only: nvcc nvrtc
typedef void (*Function)(int *, int);

__device__ __noinline__ void add(int *cell, int by) { *cell += by; } //~ race global
__device__ __noinline__ void multiply(int *cell, int by) { *cell *= by; } //~ race global
__device__ __noinline__ void exchange(int *cell, int by) { *cell = by; } //~ race global

__device__ Function table[3] = {add, multiply, exchange};

extern "C" __global__ void __launch_bounds__(64) function_table(const unsigned char *which, int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
#ifdef DEFECT
    table[which[i] % 3](&out[i / 2], i);
#else
    table[which[i] % 3](&out[i], i);
#endif
}
