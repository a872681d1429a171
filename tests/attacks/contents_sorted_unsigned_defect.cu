//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=sorted(rows) --without=preconditions
// In order without a sign, and compared with one.
__global__ void fill(int *out, const unsigned *rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int at = rows[row]; at < (int)rows[row + 1] + 1; at++) out[at] = row; //~ race
}
