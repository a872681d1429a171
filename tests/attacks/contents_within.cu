//pass
//--block-dim=* --grid-dim=* --assume=within(column,0,width)&&width<=32768&&rows<=32768 --without=preconditions
// Each row has cells of its own.
__global__ void mark(int *out, const int *column, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) out[row * width + column[row]] = row;
}
