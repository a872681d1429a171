//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// Only half of each warp takes part in a shuffle of all lanes.
__global__ void sums(const float *in, float *out, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down(sum, distance);
    if (threadIdx.x % 32 < 16) sum += __shfl_xor(sum, 1); //~ warp-divergence
    int some = __any(sum > 0) + __popc(__ballot(sum > 0));
    if (threadIdx.x % 32 == 0) {
        out[i / 32] = sum;
        found[i / 32] = some;
    }
}
