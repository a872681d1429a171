//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As dynamic_shared_memory.cu, but the second part begins in the middle of the first: half of the
// values are overwritten with keys.

__global__ void sort_pairs(float *values, int *keys)
{
    extern __shared__ float pool[];
    float *block_values = pool;
    int *block_keys = reinterpret_cast<int *>(pool + blockDim.x / 2);
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    block_values[t] = values[gid]; //~ race
    block_keys[t] = keys[gid]; //~ race
    __syncthreads();
    unsigned other = blockDim.x - 1 - t;
    bool swap = (block_keys[t] > block_keys[other]) == (t < other) && block_keys[t] != block_keys[other];
    values[gid] = swap ? block_values[other] : block_values[t];
    keys[gid] = swap ? block_keys[other] : block_keys[t];
}

int main()
{
    const int blocks = 16, size = 64;
    float *values;
    int *keys;
    cudaMallocManaged(&values, blocks * size * sizeof(float));
    cudaMallocManaged(&keys, blocks * size * sizeof(int));
    for (int i = 0; i < blocks * size; i++) {
        keys[i] = -i;
        values[i] = -i;
    }
    sort_pairs<<<blocks, size, size * (sizeof(float) + sizeof(int))>>>(values, keys);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < blocks * size; i++) {
        right = right && keys[i] == -(i - i % size + size - 1 - i % size) && values[i] == keys[i];
    }
    cudaFree(values);
    cudaFree(keys);
    return right ? 0 : 1;
}
