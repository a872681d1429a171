//pass
//--block-dim=32 --grid-dim=1 --warp-sync=32
// assumes: 32 consecutive threads of a group execute each instruction together (--warp-sync)
// otherwise defect: --block-dim=32 --grid-dim=1
// broken: --block-dim=32 --grid-dim=1
__global__ void warps_in_step(int *out)
{
    __shared__ int cells[32];
    cells[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = cells[31 - threadIdx.x];
}
