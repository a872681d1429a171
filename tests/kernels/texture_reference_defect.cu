//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=[4,4] --assume=pitch==256
// Texture references and surface references, as before CUDA 12. Rows of the result overlap.
texture<float, 2, cudaReadModeElementType> image;
texture<int> table;
surface<void, 2> seen;

__global__ void filter(float *out, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float sum = tex2D(image, x + 0.5f, y + 0.5f) + tex1Dfetch(table, x);
    sum += surf2Dread<float>(seen, x * 4, y);
    out[y * pitch / 2 + x] = sum; //~? race
}
