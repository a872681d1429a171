//pass
//--local_size=64 --num_groups=16
// The lanes of a warp with the same key form a group, by __match_any_sync, and the lowest lane of
// each group writes for all of it: two groups of a warp have different keys, and places.

constexpr unsigned KEYS = 8;

__global__ void first_of_each_key(const unsigned char *keys, const int *values, int *out)
{
    __shared__ int first[2][KEYS];
    unsigned lane = threadIdx.x % 32;
    unsigned warp = threadIdx.x / 32;
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = keys[gid] % KEYS;
    unsigned peers = __match_any_sync(0xffffffff, key);
    unsigned leader = __ffs(peers) - 1;
    if (lane == leader) {
        first[warp][key] = values[gid];
    }
    __syncwarp();
    out[gid] = first[warp][key];
}

int main()
{
    const int n = 16 * 64;
    unsigned char *keys;
    int *values, *out;
    cudaMallocManaged(&keys, n);
    cudaMallocManaged(&values, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        keys[i] = i / 3;
        values[i] = i;
    }
    first_of_each_key<<<16, 64>>>(keys, values, out);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        int first = i - i % 32;
        while (keys[first] % KEYS != keys[i] % KEYS) {
            first++;
        }
        right = right && out[i] == first;
    }
    cudaFree(keys);
    cudaFree(values);
    cudaFree(out);
    return right ? 0 : 1;
}
