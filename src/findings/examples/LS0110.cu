// lockstep verify LS0110.cu --block-dim=32
__global__ void halves(int *a) {
  int i = threadIdx.x;
  if (i < 16)
    __syncwarp(); // waits for all lanes, and the others wait below
  __syncthreads();
  a[blockIdx.x * 32 + i] = i;
}

// mended
__global__ void halves(int *a) {
  int i = threadIdx.x;
  if (i < 16)
    __syncwarp(0x0000ffff); // the lanes that come here
  __syncthreads();
  a[blockIdx.x * 32 + i] = i;
}
