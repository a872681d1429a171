// lockstep verify LS0116.cu --block-dim=32
__device__ int twice(int x) { return 2 * x; }
typedef int (*function)(int);

__global__ void apply(int *a, int n) {
  function f = n > 0 ? twice : nullptr;
  a[blockIdx.x * 32 + threadIdx.x] = f(n); // null if n is not positive
}

// mended
__device__ int twice(int x) { return 2 * x; }
typedef int (*function)(int);

__global__ void apply(int *a, int n) {
  function f = n > 0 ? twice : nullptr;
  a[blockIdx.x * 32 + threadIdx.x] = f ? f(n) : 0;
}
