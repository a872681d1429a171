//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[8,8]
// As dct_8x8.cu, without the barrier between reading the rows and overwriting them: some threads
// see a mixture of old and new elements.

constexpr int WIDTH = 64;

__constant__ float basis[8][8] = {
    {0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f, 0.3536f},
    {0.4904f, 0.4157f, 0.2778f, 0.0975f, -0.0975f, -0.2778f, -0.4157f, -0.4904f},
    {0.4619f, 0.1913f, -0.1913f, -0.4619f, -0.4619f, -0.1913f, 0.1913f, 0.4619f},
    {0.4157f, -0.0975f, -0.4904f, -0.2778f, 0.2778f, 0.4904f, 0.0975f, -0.4157f},
    {0.3536f, -0.3536f, -0.3536f, 0.3536f, 0.3536f, -0.3536f, -0.3536f, 0.3536f},
    {0.2778f, -0.4904f, 0.0975f, 0.4157f, -0.4157f, -0.0975f, 0.4904f, -0.2778f},
    {0.1913f, -0.4619f, 0.4619f, -0.1913f, -0.1913f, 0.4619f, -0.4619f, 0.1913f},
    {0.0975f, -0.2778f, 0.4157f, -0.4904f, 0.4904f, -0.4157f, 0.2778f, -0.0975f},
};

__global__ void dct_8x8(float *image)
{
    __shared__ float block[8][8];
    int x = threadIdx.x;
    int y = threadIdx.y;
    float *pixel = image + (blockIdx.y * 8 + y) * WIDTH + blockIdx.x * 8 + x;

    block[y][x] = *pixel;
    __syncthreads();

    float row = 0.0f;
    for (int k = 0; k < 8; k++) {
        row += basis[x][k] * block[y][k]; //~ race
    }
    block[y][x] = row; //~ race
    __syncthreads();

    float column = 0.0f;
    for (int k = 0; k < 8; k++) {
        column += basis[y][k] * block[k][x];
    }
    *pixel = column;
}
