//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As shift_by_offset.cu, but no barrier between reading the neighbour's element and writing one's
// own, so with an offset of 1 they race.

__global__ void add_neighbour(const int *in, int *out, unsigned offset)
{
    extern __shared__ int a[];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    a[t] = in[gid];
    __syncthreads();
    a[t] = a[t] + a[(t + offset) % blockDim.x]; //~ race
    out[gid] = a[t];
}
