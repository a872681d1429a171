//pass
//--block-dim=* --grid-dim=*
// assumes: groups of open size are whole warps of 32 threads, as operations name all lanes (--partial-warps)
// otherwise verified: --block-dim=64 --grid-dim=*
// otherwise defect: --block-dim=* --grid-dim=* --partial-warps
// otherwise defect: --block-dim=20 --grid-dim=*
// broken: --block-dim=20 --grid-dim=1
// Lanes read from lanes that a block of 20 threads does not have.

__global__ void sums(const int *in, int *out)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[gid];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    out[gid] = sum;
}
