// lockstep verify LS0111.cu --block-dim=32
__global__ void halves(int *a) {
  int i = threadIdx.x;
  if (i >= 16)
    __syncwarp(0x0000ffff); // names the lanes of the other half
  a[blockIdx.x * 32 + i] = i;
}

// mended
__global__ void halves(int *a) {
  int i = threadIdx.x;
  if (i >= 16)
    __syncwarp(0xffff0000);
  a[blockIdx.x * 32 + i] = i;
}
