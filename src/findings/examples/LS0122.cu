// lockstep verify LS0122.cu --block-dim=1 --grid-dim=2
__global__ void hand_over(int *data, int *is_ready, int *out) {
  if (blockIdx.x == 0) {
    *data = 1;
    atomicExch(is_ready, 1); // atomic, but relaxed
  } else {
    while (atomicAdd(is_ready, 0) == 0) {}
    *out = *data;
  }
}

// mended
__global__ void hand_over(int *data, int *is_ready, int *out) {
  if (blockIdx.x == 0) {
    *data = 1;
    __threadfence();
    atomicExch(is_ready, 1);
  } else {
    while (atomicAdd(is_ready, 0) == 0) {}
    __threadfence();
    *out = *data;
  }
}
