//pass
//--block-dim=64 --grid-dim=4
// The host passes addresses as integers, as it does where it is written in an interpreted language.

__global__ void scale(long long from, long long to, long long size, float factor) {
    const float *in = reinterpret_cast<const float *>(from);
    float *out = reinterpret_cast<float *>(to);
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
        out[i] = in[i] * factor;
    }
}
