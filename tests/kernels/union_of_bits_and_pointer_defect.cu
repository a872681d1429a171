//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// As union_of_bits_and_pointer.cu. The barrier is for another kind.

struct Tag {
    union {
        struct {
            unsigned other : 1;
            unsigned kind : 7;
        } bits;
        int *target;
    };
};

__device__ Tag tagged(unsigned kind) {
    Tag tag;
    tag.bits.kind = kind;
    tag.bits.other = 0;
    return tag;
}

__global__ void turn(int *out) {
    __shared__ int row[64];
    Tag tag = tagged(4);
    row[threadIdx.x] = threadIdx.x; //~ race
    if (tag.bits.kind == 5) __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x]; //~ race
}
