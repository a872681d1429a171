// lockstep verify LS0105.cu --block-dim=64 --grid-dim=1
__constant__ int factor;

__global__ void scale(int *a) {
  if (threadIdx.x == 0)
    *(int *)&factor = 2; // constant memory is not written
  a[threadIdx.x] *= factor;
}

// mended
__constant__ int factor;

__global__ void scale(int *a) {
  a[threadIdx.x] *= factor;
}
