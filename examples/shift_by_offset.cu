//pass
//--local_size=64 --num_groups=16
// open sizes too
// Everyone reads a neighbour's element of shared memory, and only after the barrier does anyone
// write. Race-free whatever the offset is.

__global__ void add_neighbour(const int *in, int *out, unsigned offset)
{
    extern __shared__ int a[];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    a[t] = in[gid];
    __syncthreads();
    int neighbour = a[(t + offset) % blockDim.x];
    __syncthreads();
    a[t] = a[t] + neighbour;
    out[gid] = a[t];
}
