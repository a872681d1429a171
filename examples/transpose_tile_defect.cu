//xfail:NOT_ALL_VERIFIED
//--local_size=[16,16] --num_groups=[4,4]
// As transpose_tile.cu, without the barrier: a thread reads an element of the tile that another
// one has perhaps not written yet.

template <typename T, int TILE>
__global__ void transpose(const T *__restrict__ in, T *__restrict__ out)
{
    __shared__ T tile[TILE][TILE + 1];
    unsigned width = gridDim.x * TILE;
    unsigned height = gridDim.y * TILE;

    unsigned x = blockIdx.x * TILE + threadIdx.x;
    unsigned y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x]; //~ race

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * height + x] = tile[threadIdx.x][threadIdx.y]; //~ race
}

template __global__ void transpose<float, 16>(const float *, float *);
