//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=1
// The first iteration is harmless. All others count down, and are executed all the same.

__global__ void down(int *out, int n) {
    bool again = false;
    for (int i = n; i > 0; i += (int)blockDim.x * -2) {
        if (again)
            out[i % 8] = threadIdx.x; //~ race
        again = true;
    }
}
