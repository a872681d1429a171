//unknown
//--local_size=64 --num_groups=4
// One byte of the counter is set, the others hold anything.

__global__ void k(int *data, int *out)
{
    __shared__ unsigned c;
    unsigned t = threadIdx.x;
    if (t == 0)
        *(unsigned char *)&c = 0;
    __syncthreads();
    data[blockIdx.x * 64 + t] = t;
    __threadfence_block();
    unsigned n = atomicAdd(&c, 1);
    if (n >= 63) {
        __threadfence_block();
        int sum = 0;
        for (int i = 0; i < 64; i++) sum += data[blockIdx.x * 64 + i];
        out[blockIdx.x * 64 + t] = sum;
    }
}
