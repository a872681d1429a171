//pass
//--blockDim=64 --gridDim=16
// Half of each warp asks its right neighbours for their values, in inline PTX. The last lane of a segment of 16 lanes
// gets its own value, which the predicate says.

__global__ void ptx_shuffle(int *out)
{
    if (threadIdx.x % 32 < 16) {
        int from;
        asm volatile("{\n"
                     "  .reg .pred p;\n"
                     "  shfl.sync.down.b32 %0|p, %1, 1, 0x100f, 0xffff;\n"
                     "  @p mov.u32 %0, %1;\n"
                     "}"
                     : "=r"(from)
                     : "r"((int)threadIdx.x));
        out[blockIdx.x * 64 + from] = threadIdx.x;
    }
}
