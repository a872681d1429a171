//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// The sum of ten sizes is 128 in a byte, so five threads come to the barrier.

__global__ void stride_cut_to_a_byte(int *a)
{
    unsigned char sum = 0;
    for (int i = 0; i < 10; i++)
        sum += blockDim.x;
    if (sum == 128 && threadIdx.x < 5)
        __syncthreads(); //~ barrier-divergence
    a[blockIdx.x * 64 + threadIdx.x] = sum;
}
