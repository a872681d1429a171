// racy
// run: --block-dim 32 --grid-dim 2
// The struct that a thread copies is one that another one overwrites.

struct Item {
    int parts[5];
};

__global__ void struct_copies(Item *from)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    from[i] = from[i + 3]; //~ race
}
