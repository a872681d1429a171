//pass
//--local_size=256 --num_groups=16
// The sum of a block: each warp adds up its lanes by shuffles, the first warp then adds the sums
// of the warps. Threads beyond the end bring a zero, so that all lanes named come to the shuffle.

constexpr unsigned FULL = 0xffffffff;
constexpr int BLOCK = 256;

__device__ __forceinline__ float sum_of_warp(float value)
{
    for (int distance = warpSize / 2; distance > 0; distance /= 2) {
        value += __shfl_down_sync(FULL, value, distance);
    }
    return value;
}

__global__ void __launch_bounds__(BLOCK) sum_of_block(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float sums[BLOCK / 32];
    int t = threadIdx.x;
    int gid = blockIdx.x * BLOCK + t;
    float sum = sum_of_warp(gid < n ? in[gid] : 0.0f);
    if (t % 32 == 0) {
        sums[t / 32] = sum;
    }
    __syncthreads();
    if (t < 32) {
        sum = sum_of_warp(t < BLOCK / 32 ? sums[t] : 0.0f);
        if (t == 0) {
            out[blockIdx.x] = sum;
        }
    }
}

int main()
{
    const int blocks = 16, n = blocks * BLOCK - 100;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, blocks * sizeof(float));
    for (int i = 0; i < n; i++) {
        in[i] = 1.0f;
    }
    sum_of_block<<<blocks, BLOCK>>>(in, out, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int b = 0; b < blocks; b++) {
        right = right && out[b] == (b < blocks - 1 ? BLOCK : BLOCK - 100);
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
