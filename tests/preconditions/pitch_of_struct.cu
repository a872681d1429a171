//conditional: image.pitch >= 0 && image.pitch >= gridDim.x * blockDim.x
//--block-dim=16,16 --grid-dim=*,*
// contract: image.pitch >= 1 && image.pitch >= gridDim.x * blockDim.x
// As row_pitch.cl, with the pitch in a struct.

struct Image {
    float *pixels;
    int pitch;
};

__global__ void fill(Image image, float value)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    image.pixels[y * image.pitch + x] = value * x;
#ifdef DEFECT
    image.pixels[y * image.pitch + x + 1] = value + x;
#endif
}
