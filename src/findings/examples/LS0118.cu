// lockstep verify LS0118.cu --block-dim=1 --grid-dim=2
__global__ void hand_over(volatile int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
  } else {
    out[0] = data[0]; // 1, or what was there before
  }
}

// mended
__device__ int is_ready;

__global__ void hand_over(volatile int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    atomicExch(&is_ready, 1);
  } else {
    while (atomicAdd(&is_ready, 0) == 0) {}
    __threadfence();
    out[0] = data[0];
  }
}
