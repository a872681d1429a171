//pass
//--block-dim=64 --grid-dim=4
// assumes: different pointer parameters point to memory that does not overlap
// otherwise defect: --block-dim=64 --grid-dim=4 -D OTHERWISE
// The two pointers come in a struct.
struct Arrays {
    int *out;
    const int *in;
};

__global__ void struct_pointers_apart(Arrays arrays)
{
#ifdef OTHERWISE
    arrays.in = arrays.out;
#endif
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    arrays.out[i] = arrays.in[i + 1] + i;
}
