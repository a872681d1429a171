//causes: 2
//--blockDim=64 --gridDim=8
// Neighbours race in shared memory, and blocks in global memory.

__global__ void sums(int *total, const int *in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t]; //~ race first
#ifdef MENDED
    __syncthreads();
    int next = s[(t + 1) % 64];
    if (t == 0)
        total[blockIdx.x] = next;
#else
    int next = s[(t + 1) % 64]; //~ race first
    if (t == 0)
        *total = next + blockIdx.x; //~ race second
#endif
}
