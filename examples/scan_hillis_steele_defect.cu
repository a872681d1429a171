//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As scan_hillis_steele.cu, but written back to the buffer that is read in the same round: a
// thread's new sum races with its right neighbour's read of the old one.

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
            sum += buffer[from][t - distance]; //~ race
        }
        buffer[from][t] = sum; //~ race
        __syncthreads();
    }
    out[gid] = buffer[from][t];
}
