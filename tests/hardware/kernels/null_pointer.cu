//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// Threads that find nothing keep a null pointer, and read through it.

__global__ void null_pointer(const int *in, int *out)
{
    unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    const int *found = nullptr;
    if (threadIdx.x != 5) {
        found = &in[g];
    }
    out[g] = *found; //~ null-dereference
}
