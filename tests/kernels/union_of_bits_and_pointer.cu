//pass
//--block-dim=64 --grid-dim=4
// A union of a pointer and bit-fields, handed on by value: the bits that were set are known, though the pointer is not.

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
    row[threadIdx.x] = threadIdx.x;
    if (tag.bits.kind == 4) __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x];
}
