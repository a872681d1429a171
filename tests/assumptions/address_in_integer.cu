//pass
//--block-dim=64 --grid-dim=4
// assumes: the integer `to` is the address of memory of its own, as a pointer would be (line 6)
// assumes: different pointer parameters point to memory that does not overlap
// otherwise defect: --block-dim=64 --grid-dim=4 -D OTHERWISE
__global__ void address_in_integer(const int *in, long long to)
{
#ifndef OTHERWISE
    int *out = reinterpret_cast<int *>(to);
#else
    int *out = const_cast<int *>(in);
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1] + i;
}
