//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As generic_pointer.cu, but all blocks use the same part of global memory: with shared memory,
// which every block has for itself, that would have been no mistake.

constexpr int BLOCK = 64;

__global__ void reverse_blocks(const float *in, float *out, float *spill, bool use_shared)
{
    __shared__ float fast[BLOCK];
    float *cells = use_shared ? fast : spill;
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    cells[t] = in[gid]; //~ race write read
    __syncthreads();
    out[gid] = cells[BLOCK - 1 - t]; //~ race read
}
