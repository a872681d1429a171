//conditional: sorted(rows)
//--block-dim=* --grid-dim=*
// contract: n > 0 && sorted(rows)
// The rows of a sparse matrix: each begins where the one before it ends.

__global__ void fill(int *out, const int *rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        for (int at = rows[row]; at < rows[row + 1]; at++)
            out[at] = row;
#ifdef DEFECT
        out[rows[row + 1]] = row;
#endif
    }
}
