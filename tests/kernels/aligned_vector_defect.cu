//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Rows of five floats: every other row starts at an address that float4 cannot be read from.

__global__ void aligned_vector(const float *in, float *out, int rows)
{
    __shared__ __align__(16) float tile[64 * 5];
    float *row = tile + 5 * threadIdx.x;
    for (int r = 0; r < rows; r++) {
        const float4 four = *(const float4 *)(in + 4 * (r * 64 + threadIdx.x));
        *(float4 *)row = four; //~ misaligned-access
    }
    out[blockIdx.x * 64 + threadIdx.x] = row[0] + row[3];
}
