//pass
//--local_size=64 --num_groups=4
// Bit-fields of fresh shared memory are set one by one. Clang loads their unit to keep the neighbours; nobody reads what nobody wrote.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
    int value;
};

__global__ void bitfield_of_shared(int *out)
{
    __shared__ tag tags[64];
    int t = threadIdx.x;
    tags[t].kind = t & 7;
    tags[t].level = 3;
    tags[t].value = t;
    __syncthreads();
    tag other = tags[63 - t];
    out[blockIdx.x * 64 + t] = other.kind + other.level + other.value;
}
