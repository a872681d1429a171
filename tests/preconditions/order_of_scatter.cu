//conditional: distinct(order)
//--block-dim=* --grid-dim=*
// contract: n >= 0 && distinct(order)
// A permutation in an array: two elements that are equal name one cell twice.

__global__ void scatter(float *out, const float *in, const int *order, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[order[i]] = in[i];
#ifdef DEFECT
    if (i < n)
        out[order[i] / 2] = in[i] + i;
#endif
}
