// racy
// run: --block-dim 4 --grid-dim 3
// The fences of everybody hold no thread of another block.

__global__ void everybody_fences(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    __threadfence_block();
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
