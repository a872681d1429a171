//pass
//--local_size=64 --num_groups=4
// A struct with padding is copied out of shared memory, of which all members were written, but not the padding.

struct entry {
    int key;
    char kind;
    double weight;
    short last;
};

__device__ entry scaled(entry e, double by)
{
    e.weight *= by;
    return e;
}

__global__ void struct_copy_padding(entry *out)
{
    __shared__ entry entries[64];
    int t = threadIdx.x;
    entries[t].key = t;
    entries[t].kind = 3;
    entries[t].weight = 1;
    entries[t].last = 9;
    __syncthreads();
    entry mine = entries[63 - t];
    mine.key++;
    out[blockIdx.x * 64 + t] = scaled(mine, 2);
}
