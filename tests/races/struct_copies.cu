// race-free
// run: --block-dim 32 --grid-dim 2
// Every thread copies a struct of its own.

struct Item {
    int parts[5];
};

__global__ void struct_copies(Item *from, Item *to)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    to[i] = from[i];
}
