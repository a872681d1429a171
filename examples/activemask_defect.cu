//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As activemask.cu, but the lanes ask __activemask who else is here. It names those that happen to
// run along, which need not be all that take this branch, nor the same ones for each.

__global__ void larger_of_pair(const int *in, int *out, int limit)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    bool in_range = in[gid ^ 1] < limit && in[gid] < limit;
    if (in_range) {
        cells[t] = in[gid]; //~ race
        __syncwarp(__activemask());
        out[gid] = max(cells[t], cells[t ^ 1]); //~ race
    }
}
