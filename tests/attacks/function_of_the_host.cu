//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The host may pass the address of a function that is not here, or none.
typedef void (*action)(int *, int);

__device__ void one(int *cells, int i)
{
    cells[i] = 1;
}

__device__ action known = one;

__global__ void function_of_the_host(int *out, action given)
{
    given(out, threadIdx.x); //~? unknown-target
}
