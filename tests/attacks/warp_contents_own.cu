//pass
//--block-dim=64 --grid-dim=1
// What nobody writes behind the barrier of the block is as it was there.

__global__ void kept(int *out)
{
    __shared__ int place[64];
    unsigned t = threadIdx.x;
    place[t] = 0;
    __syncthreads();
    int before = place[t ^ 1] & 0;
    out[t + before] = t;
}
