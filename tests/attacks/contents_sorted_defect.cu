//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=increasing(rows) --without=preconditions
// Each row ends behind the beginning of the next one.
__global__ void fill(int *out, const int *rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int at = rows[row]; at <= rows[row + 1]; at++) out[at] = row; //~ race
}
