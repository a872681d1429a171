//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As strided_fill.cu, but the stride is one too small: thread 63's first element is thread 0's
// second.

constexpr int SEGMENT = 1000;

__global__ void strided_fill(int *owner)
{
    int *segment = owner + blockIdx.x * SEGMENT;
    for (int i = threadIdx.x; i < SEGMENT; i += blockDim.x - 1) {
        segment[i] = threadIdx.x; //~ race
    }
}
