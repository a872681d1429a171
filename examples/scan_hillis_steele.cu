//pass
//--local_size=64 --num_groups=16
// The Hillis-Steele scan with two buffers: each round reads one and writes the other, so one
// barrier a round is enough.

constexpr int SIZE = 64;

__global__ void scan_hillis_steele(const int *in, int *out)
{
    __shared__ int buffer[2][SIZE];
    int t = threadIdx.x;
    int gid = blockIdx.x * blockDim.x + t;
    int from = 0;
    buffer[from][t] = in[gid];
    __syncthreads();

    for (int distance = 1; distance < SIZE; distance *= 2) {
        int sum = buffer[from][t];
        if (t >= distance) {
            sum += buffer[from][t - distance];
        }
        buffer[1 - from][t] = sum;
        from = 1 - from;
        __syncthreads();
    }
    out[gid] = buffer[from][t];
}
