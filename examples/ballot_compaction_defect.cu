//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As ballot_compaction.cu, but zeros are kept, too, although the ballot does not count them: they
// fall on the place of the next positive element.

__global__ void compact_in_warp(const int *in, int *out, int *kept)
{
    unsigned lane = threadIdx.x % 32;
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    int value = in[gid];
    unsigned keepers = __ballot_sync(0xffffffff, value > 0);
    if (value >= 0) {
        unsigned below = keepers & ((1u << lane) - 1);
        out[gid - lane + __popc(below)] = value; //~ race
    }
    if (lane == 0) {
        kept[gid / 32] = __popc(keepers);
    }
}

int main()
{
    const int n = 16 * 64;
    int *in, *out, *kept;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&kept, n / 32 * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i % 3 - 1;
    }
    compact_in_warp<<<16, 64>>>(in, out, kept);
    cudaDeviceSynchronize();
    bool right = true;
    for (int warp = 0; warp < n / 32; warp++) {
        int count = 0;
        for (int i = 32 * warp; i < 32 * warp + 32; i++) {
            if (in[i] > 0) {
                right = right && out[32 * warp + count] == in[i];
                count++;
            }
        }
        right = right && kept[warp] == count;
    }
    cudaFree(in);
    cudaFree(out);
    cudaFree(kept);
    return right ? 0 : 1;
}
