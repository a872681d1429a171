//pass
//--local_size=64 --num_groups=16
// The lanes of a warp exchange elements through shared memory: __syncwarp between the write and
// the read is enough, since both are of the same warp.

__global__ void rotate_in_warp(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned lane = t % 32;
    unsigned gid = blockIdx.x * blockDim.x + t;
    cells[t] = in[gid];
    __syncwarp();
    out[gid] = cells[t - lane + (lane + 1) % 32];
}

int main()
{
    const int n = 16 * 64;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    rotate_in_warp<<<16, 64>>>(in, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        right = right && out[i] == i - i % 32 + (i + 1) % 32;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
