//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Behind the barrier of the warp a lane reads what another has written, and not the 0 of the last barrier of the block: lanes 0
// and 1 both write out[1].

__global__ void stale(int *out)
{
    __shared__ int place[64];
    unsigned t = threadIdx.x;
    place[t] = 0;
    __syncthreads();
    place[t] = t & 1;
    __syncwarp();
    int after = place[t ^ 1];
    out[t + after] = t; //~ race
}
