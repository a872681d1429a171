//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=*
// A counter that goes up and is read as an unsigned number: the subtraction below 0 is no part of
// the assumption about strides.

__global__ void fold(int *out, unsigned n) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned other = i - blockDim.x;
        out[other % 64] = threadIdx.x; //~ race
    }
}
