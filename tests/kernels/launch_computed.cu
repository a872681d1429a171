//pass
//
// A launch as wide and as high as the picture: it is computed from the arguments, though neither is known.
__global__ void fill(int *cells, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    cells[y * width + x] = x + 1;
}

static void draw(int *cells, const int2 &size)
{
    dim3 block(16, 8);
    dim3 grid(size.x / block.x, size.y / block.y);
    fill<<<grid, block>>>(cells, size.x, size.y);
    cudaDeviceSynchronize();
}

int main(int count, char **words)
{
    int2 size = make_int2(atoi(words[1]), atoi(words[2]));
    int *cells;
    cudaMalloc(&cells, size.x * size.y * sizeof(int));
    draw(cells, size);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
