//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=1
// The writer has no fence.

__global__ void flag_between_warps(int *out)
{
    __shared__ int data;
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = 42; //~ race
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {
        }
        __threadfence_block();
        *out = data; //~ race
    }
}
