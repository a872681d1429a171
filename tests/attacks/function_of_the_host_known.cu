//pass
//--block-dim=64 --grid-dim=1
// As function_of_the_host.cu, where the kernel says which it is.
typedef void (*action)(int *, int);

__device__ void one(int *cells, int i)
{
    cells[i] = 1;
}

__global__ void function_of_the_host_known(int *out, action given)
{
    __requires(given == one);
    given(out, threadIdx.x);
}
