//xfail:NOT_ALL_VERIFIED
//--block-dim=1024 --grid-dim=65536
// The counter wraps on its way to a bound that is known. It is not assumed that it does not.

__global__ void mark(int *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 2147483647; i += blockDim.x * gridDim.x) {
        if (i < 0) {
            out[0] = threadIdx.x; //~ race
            break;
        }
    }
}
