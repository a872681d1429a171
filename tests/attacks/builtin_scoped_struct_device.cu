//pass
//--block-dim=64 --grid-dim=4
// A struct of eight bytes is one object.

struct Pair { int first, second; };

__global__ void scoped_struct_device(Pair *cell, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    Pair pair = {1, 2};
    __scoped_atomic_store(cell, &pair, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
