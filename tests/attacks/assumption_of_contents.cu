//pass
//--blockDim=64 --gridDim=2
// Some contents break each of these assumptions, others none.

__global__ void of_contents(int *list, const int *in, const unsigned *by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    list[i] = in[i] / (in[i + 1] + 1) + (1 << by[i]);
}
