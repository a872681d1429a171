//pass
//--local_size=64 --num_groups=16
// Some lanes exchange elements. Which ones is known from a ballot before they part from the
// others, so the mask is right whenever each of them arrives.

__global__ void larger_of_pair(const int *in, int *out, int limit)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    bool in_range = in[gid ^ 1] < limit && in[gid] < limit;
    unsigned mask = __ballot_sync(0xffffffff, in_range);
    if (in_range) {
        cells[t] = in[gid];
        __syncwarp(mask);
        out[gid] = max(cells[t], cells[t ^ 1]);
    }
}
