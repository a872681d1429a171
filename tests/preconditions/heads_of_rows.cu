//conditional: distinct(head)
//--block-dim=* --grid-dim=*
// contract: n > 0 && distinct(head)
// Each row marks its head. With DEFECT it counts its cells, as rows that meet do, without an atomic.

__global__ void mark(int *flags, const int *head, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n)
#ifdef DEFECT
        flags[head[row]] = flags[head[row]] + 1;
#else
        flags[head[row]] = row;
#endif
}
