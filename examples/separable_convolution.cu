//pass
//--local_size=[16,16] --num_groups=[4,4]
// A separable convolution in two passes through shared memory: along the rows of a padded tile,
// then along the columns of the result. The host puts the weights into constant memory.

constexpr int WIDTH = 64;
constexpr int TILE = 16;
constexpr int RADIUS = 2;
constexpr int PADDED = TILE + 2 * RADIUS;

__constant__ float weights[2 * RADIUS + 1];

__global__ void separable_convolution(const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[PADDED][PADDED];
    __shared__ float rows[PADDED][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int left = blockIdx.x * TILE;
    int top = blockIdx.y * TILE;

    for (int y = ty; y < PADDED; y += TILE) {
        for (int x = tx; x < PADDED; x += TILE) {
            tile[y][x] = in[(top + y) * (WIDTH + 2 * RADIUS) + left + x];
        }
    }
    __syncthreads();

    for (int y = ty; y < PADDED; y += TILE) {
        float sum = 0.0f;
        for (int k = 0; k <= 2 * RADIUS; k++) {
            sum += weights[k] * tile[y][tx + k];
        }
        rows[y][tx] = sum;
    }
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k <= 2 * RADIUS; k++) {
        sum += weights[k] * rows[ty + k][tx];
    }
    out[(top + ty) * WIDTH + left + tx] = sum;
}

int main()
{
    const float host_weights[2 * RADIUS + 1] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
    const int padded_width = WIDTH + 2 * RADIUS;
    float *in, *out;
    cudaMallocManaged(&in, padded_width * padded_width * sizeof(float));
    cudaMallocManaged(&out, WIDTH * WIDTH * sizeof(float));
    for (int i = 0; i < padded_width * padded_width; i++) {
        in[i] = 1.0f;
    }
    cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights));
    separable_convolution<<<dim3(4, 4), dim3(TILE, TILE)>>>(in, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < WIDTH * WIDTH; i++) {
        right = right && out[i] == 1.0f;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
