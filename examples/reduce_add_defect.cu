//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_add.cu, but lanes with even and with odd elements part, and either name all lanes while
// only some of them come.

__global__ void sums_by_parity(const unsigned *in, uint2 *sums)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned value = in[gid];
    bool is_odd = value % 2 != 0;
    unsigned even = 0;
    unsigned odd = 0;
    if (is_odd) {
        odd = __reduce_add_sync(0xffffffff, value); //~ warp-divergence odd both
    } else {
        even = __reduce_add_sync(0xffffffff, value); //~ warp-divergence even both
    }
    if (gid % 32 == 0) {
        sums[gid / 32] = make_uint2(even, odd);
    }
}

int main()
{
    const int n = 16 * 64;
    unsigned *in;
    uint2 *sums;
    cudaMallocManaged(&in, n * sizeof(unsigned));
    cudaMallocManaged(&sums, n / 32 * sizeof(uint2));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    sums_by_parity<<<16, 64>>>(in, sums);
    cudaDeviceSynchronize();
    bool right = true;
    for (int warp = 0; warp < n / 32; warp++) {
        unsigned even = 16 * 32 * warp + 240;
        right = right && sums[warp].x == even && sums[warp].y == even + 16;
    }
    cudaFree(in);
    cudaFree(sums);
    return right ? 0 : 1;
}
