//pass
//--blockDim=32 --gridDim=1 --no-check=lane-mask -DLANES=16
// The mask names all that come.

__global__ void shuffled(int *out)
{
    int i = threadIdx.x;
    if (i < LANES)
        out[i] = __shfl_sync(0xffff, i, 0);
}
