//xfail:NOT_ALL_VERIFIED
//--blockDim=16,16 --gridDim=4,4
// The column is added before the cast: a distance in bytes.

__global__ void aligned_pitch(char *base, size_t pitch, int height)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    for (int y = blockIdx.y * 16 + threadIdx.y; y < height; y += 64) {
        float *row = (float *)(base + y * pitch + x);
        __ldg(row); //~ misaligned-access
    }
}
