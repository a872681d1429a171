// lockstep verify LS0117.cu --block-dim=64 --grid-dim=1
__global__ void hand_over(int *a) {
  __shared__ int cells[32];
  int i = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    cells[i] = a[i];
    asm volatile("barrier.sync 1, 64;" ::: "memory"); // waits for a warp that waits for this one
    asm volatile("barrier.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("barrier.sync 2, 64;" ::: "memory");
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    a[i] = cells[31 - i];
  }
}

// mended
__global__ void hand_over(int *a) {
  __shared__ int cells[32];
  int i = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    cells[i] = a[i];
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    asm volatile("barrier.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("barrier.sync 1, 64;" ::: "memory");
    asm volatile("barrier.sync 2, 64;" ::: "memory");
    a[i] = cells[31 - i];
  }
}
