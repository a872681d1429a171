//unknown
//--blockDim=64 --gridDim=1
// Thread 40 divides by zero in every run.

__global__ void inverse(int *list)
{
    int i = threadIdx.x;
    list[i] = 1000 / (i - 40);
}
