//pass
//--block-dim=* --grid-dim=* --assume=sorted(rows) --without=preconditions
// Each row ends where the next one begins.
__global__ void fill(int *out, const int *rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
        for (int at = rows[row]; at < rows[row + 1]; at++) out[at] = row;
}
