//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The same bits, kept by the source itself: it reads what nobody has written.

__global__ void bitfield_by_hand(unsigned *out)
{
    __shared__ unsigned tags[64];
    int t = threadIdx.x;
    tags[t] = (tags[t] & ~7u) | 3u; //~ uninitialised-read
    out[blockIdx.x * 64 + t] = tags[t] & 7u;
}
