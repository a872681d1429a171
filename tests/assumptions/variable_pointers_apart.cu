//pass
//--block-dim=64 --grid-dim=4
// assumes: different pointer parameters point to memory that does not overlap
// otherwise defect: --block-dim=64 --grid-dim=4 -D OTHERWISE
// The host has put one of the two pointers into a variable.
__constant__ const int *input;

__global__ void variable_pointers_apart(int *out)
{
#ifdef OTHERWISE
    const int *input = out;
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = input[i + 1] + i;
}
