//xfail:NOT_ALL_VERIFIED
//--blockDim=16,16 --gridDim=4,4
// The column is added before the cast: a distance in bytes.

__global__ void aligned_pitch(const char *base, float *out, size_t pitch, int height)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    for (int y = blockIdx.y * 16 + threadIdx.y; y < height; y += 64) {
        const float *row = (const float *)(base + y * pitch + x);
        out[y * 64 + x] = *row; //~ misaligned-access
    }
}
