//pass
//--local_size=64 --num_groups=16
// A pointer that is to shared or to global memory, whichever the launch asks for. Either way each
// block works on cells of its own.

constexpr int BLOCK = 64;

__global__ void reverse_blocks(const float *in, float *out, float *spill, bool use_shared)
{
    __shared__ float fast[BLOCK];
    float *cells = use_shared ? fast : spill + blockIdx.x * BLOCK;
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    cells[t] = in[gid];
    __syncthreads();
    out[gid] = cells[BLOCK - 1 - t];
}
