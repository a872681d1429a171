//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// As library_ldg_of_what_is_not_written.cu, but it is the next row's beginning that is loaded.

__global__ void rows(const int *begin, float *out)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int first = __ldg(&begin[row]), end = begin[row + 1];
    if (first != end) out[0] = row; //~ race
    out[row + 1] = 0;
}
