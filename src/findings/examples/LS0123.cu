// lockstep verify LS0123.cu --block-dim=64
__global__ void hand_over(int *ready, int *data) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(ready, 1); // the others wait for 2
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(ready, 0) != 2) {}
      __threadfence();
    }
    __syncthreads();
    data[blockIdx.x * 64 + threadIdx.x] = data[threadIdx.x];
  }
}

// mended
__global__ void hand_over(int *ready, int *data) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(ready, 2);
    }
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(ready, 0) != 2) {}
      __threadfence();
    }
    __syncthreads();
    data[blockIdx.x * 64 + threadIdx.x] = data[threadIdx.x];
  }
}
