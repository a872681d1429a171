// racy
// run: --block-dim 4 --grid-dim 3
// The count is atomic within blocks alone: nobody observes another block's, as far as the model goes.

__global__ void everybody_fences(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd_block(count, 1); //~ race
        while (atomicAdd_block(count, 0) < 3) { //~ race
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
