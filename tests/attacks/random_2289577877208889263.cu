//xfail:NOT_ALL_VERIFIED
//--local-size=3 --num-groups=1 --timeout=10 --warp-size=4 --no-benign-tolerance
// Unsound, by chance from the seed 2289577877208889263. Mark the lines that race, and say what it is about.
typedef unsigned uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
__device__ uint given();
__device__ void change(uint *);
extern "C" __global__ void k(uint *A, uint n) {
  __shared__ uint L[3];
  uint v0 = threadIdx.x;
  uint v1 = (blockIdx.x * blockDim.x + threadIdx.x);
  event_t e0 = 0;
  A[(blockIdx.x * blockDim.x + threadIdx.x)] = 0u;
  __syncwarp(4294967295u);
  e0 = async_work_group_copy(&L[0u], &A[0u], 3u, 0);
}
