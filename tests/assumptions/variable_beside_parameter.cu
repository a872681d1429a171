//pass
//--block-dim=64 --grid-dim=4
// assumes: no pointer parameter points into `cells`
// otherwise defect: --block-dim=64 --grid-dim=4 -D OTHERWISE
// The host may ask for the address of a variable, and pass it.
__device__ int cells[257];

__global__ void variable_beside_parameter(int *out)
{
#ifdef OTHERWISE
    out = cells;
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = cells[i + 1] + i;
}
