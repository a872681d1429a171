//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=1
// A multiple of the block's size that is negative is no stride by which a counter advances.

__global__ void down(int *out, int n) {
    for (int i = n; i > 0; i += (int)blockDim.x * -2)
        out[i % 8] = threadIdx.x; //~ race
}
