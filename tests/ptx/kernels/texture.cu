// Reads of textures in two dimensions and in one.
// launch: --local_size=[16,16]
// only: nvcc
extern "C" __global__ void texture(cudaTextureObject_t image, float *sums, int width)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float4 colour = tex2D<float4>(image, x + 0.5f, y + 0.5f);
    float grey = colour.x * 0.3f + colour.y * 0.6f + colour.z * 0.1f + tex1Dfetch<float>(image, x);
    if (x < width) {
        sums[y * width + x] = grey;
    }
}
