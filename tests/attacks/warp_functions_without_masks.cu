//pass
//--block-dim=64 --grid-dim=1
// The functions of a warp from before lanes had masks need all lanes, which are here.

__global__ void lanes(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = __any(in[t]) + __ballot(in[t]) + __shfl(in[t], 3) + __shfl_up(in[t], 1) + __shfl_down(in[t], 1) + __shfl_xor(in[t], 1);
}
