//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As struct_copy_padding.cu, but without the barrier.

struct entry {
    int key;
    char kind;
    double weight;
};

__global__ void struct_copy_padding_defect(entry *out)
{
    __shared__ entry entries[64];
    int t = threadIdx.x;
    entries[t].key = t; //~ race key
    entries[t].kind = 3; //~ race kind
    entries[t].weight = 1; //~ race weight
    entry mine = entries[63 - t]; //~ race key kind weight
    mine.key++;
    out[blockIdx.x * 64 + t] = mine;
}
