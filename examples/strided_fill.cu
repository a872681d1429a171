//pass
//--local_size=64 --num_groups=16
// Each block fills its own segment of 1000 elements, its 64 threads taking turns. That 1000 is no
// multiple of 64 matters: the guard, not the number of iterations, keeps the last round out of the
// next block's segment.

constexpr int SEGMENT = 1000;

__global__ void strided_fill(int *owner)
{
    int *segment = owner + blockIdx.x * SEGMENT;
    for (int i = threadIdx.x; i < SEGMENT; i += blockDim.x) {
        segment[i] = threadIdx.x;
    }
}
