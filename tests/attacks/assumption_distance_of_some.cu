//pass
//--blockDim=32 --gridDim=1
// No distance is 32.

__global__ void bits(unsigned *list)
{
    unsigned i = threadIdx.x;
    list[i] = 1u << i;
}
