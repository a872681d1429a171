//unknown
//--blockDim=64 --gridDim=1
// Half of the distances are 32 or more in every run.

__global__ void bits(unsigned *list)
{
    unsigned i = threadIdx.x;
    list[i] = 1u << i;
}
