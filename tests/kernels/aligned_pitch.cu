//pass
//--blockDim=16,16 --gridDim=4,4
// Rows with a pitch in bytes, which is a multiple of an element's size if the host gives one.

__global__ void aligned_pitch(char *base, size_t pitch, int height)
{
    const int x = blockIdx.x * 16 + threadIdx.x;
    for (int y = blockIdx.y * 16 + threadIdx.y; y < height; y += 64) {
        float *row = (float *)(base + y * pitch);
        __ldg(row + x);
    }
}
