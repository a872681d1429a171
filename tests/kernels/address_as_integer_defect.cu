//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// As address_as_integer.cu, but what a thread reads its neighbour writes.

__global__ void scale(long long from, long long to, long long size, float factor) {
    float *out = reinterpret_cast<float *>(to);
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        out[i] = out[i + 1] * factor; //~ race
    }
}
