// lockstep verify LS0112.cu --block-dim=32
__global__ void pairs(int *a) {
  int i = threadIdx.x;
  int sum = i;
  if (i < 16)
    sum += __shfl_sync(0x0000ffff, i, i + 1); // lane 16 is not in the mask
  a[blockIdx.x * 32 + i] = sum;
}

// mended
__global__ void pairs(int *a) {
  int i = threadIdx.x;
  int sum = i;
  if (i < 16)
    sum += __shfl_sync(0x0000ffff, i, (i + 1) % 16);
  a[blockIdx.x * 32 + i] = sum;
}
