//pass
//--block-dim=64 --grid-dim=4
// What nobody writes is the same however often and by whomever it is loaded: rows of an array end where the next begin.

__global__ void rows(const int *begin, float *out)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int first = __ldg(&begin[row]), end = begin[row];
    if (first != end) out[0] = row;
    float4 four = __ldg((const float4 *)begin + row);
    out[row + 1] = four.x + __ldg((const double *)begin + row);
}
