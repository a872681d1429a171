//unknown
//--blockDim=32 --gridDim=1 --no-check=lane-mask -DLANES=17
// The mask does not name lane 16, which comes in every run, and nobody checks that.

__global__ void shuffled(int *out)
{
    int i = threadIdx.x;
    if (i < LANES)
        out[i] = __shfl_sync(0xffff, i, 0);
}
