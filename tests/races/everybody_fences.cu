// race-free
// run: --block-dim 4 --grid-dim 3
// A grid barrier in which everybody fences before the block waits, and its first thread counts the block and fences behind that. The count
// is read behind the others' fences, so by Fence-SC order these come before the fence of who has read it (PTX).

__global__ void everybody_fences(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i;
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12];
}
