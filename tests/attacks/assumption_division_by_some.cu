//pass
//--blockDim=40 --gridDim=1
// No thread is number 40.

__global__ void inverse(int *list)
{
    int i = threadIdx.x;
    list[i] = 1000 / (i - 40);
}
