//pass
//--blockDim=16,16 --gridDim=4,4
// Rows with a pitch in bytes, which is a multiple of an element's size if the host gives one.

__global__ void aligned_pitch(const char *base, float *out, size_t pitch, int height)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    for (int y = blockIdx.y * 16 + threadIdx.y; y < height; y += 64) {
        const float *row = (const float *)(base + y * pitch);
        out[y * 64 + x] = row[x];
    }
}
