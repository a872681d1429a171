//xfail:NOT_ALL_VERIFIED
//--local-size=3 --num-groups=1 --timeout=0.2 --warp-size=4 --no-benign-tolerance --without=concrete-search --without=unrolling --without=cases
// Unsound, by chance from the seed 16432855141019565339. Mark the lines that race, and say what it is about.
typedef unsigned uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
__device__ uint given();
__device__ void change(uint *);
extern "C" __global__ void k(uint *A, uint *B, uint n) {
  __shared__ uint L[6];
  uint v0 = threadIdx.x;
  event_t e0 = 0;
  event_t e1 = 0;
  A[(blockIdx.x * blockDim.x + threadIdx.x)] = 0u;
  __syncwarp(4294967295u);
  e0 = async_work_group_copy(&A[0u], &L[0u], 6u, e0);
}
