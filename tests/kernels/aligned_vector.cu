//pass
//--blockDim=64 --gridDim=16
// Each thread reads four floats at once, where a multiple of four floats has come before.

__global__ void aligned_vector(const float *in, float *out, int rows)
{
    __shared__ __align__(16) float tile[64 * 4];
    float *row = tile + 4 * threadIdx.x;
    for (int r = 0; r < rows; r++) {
        const float4 four = *(const float4 *)(in + 4 * (r * 64 + threadIdx.x));
        *(float4 *)row = four;
    }
    out[blockIdx.x * 64 + threadIdx.x] = row[0] + row[3];
}
