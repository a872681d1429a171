// racy
// run: --block-dim 64 --grid-dim 1
// The reader has no fence.

__global__ void flag_within_block(int *out)
{
    __shared__ int data;
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42; //~ race
        __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {
        }
        *out = data; //~ race
    }
}
