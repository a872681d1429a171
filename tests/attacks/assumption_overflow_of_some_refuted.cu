//unknown
//--blockDim=64 --gridDim=2
// Half of the threads overflow in every run, and no two of the others race.

__global__ void near_the_end(int *list)
{
    int i = 0x7fffffc0 + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    list[i - 0x7fffffc0] = i;
}
