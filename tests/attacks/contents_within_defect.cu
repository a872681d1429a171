//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=within(column,0,width+1)&&width<=32768&&rows<=32768 --without=preconditions
// The last column of a row is the first of the next one.
__global__ void mark(int *out, const int *column, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) out[row * width + column[row]] = row; //~ race
}
