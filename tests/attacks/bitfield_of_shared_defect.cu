//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As bitfield_of_shared.cu, but without the barrier.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
    int value;
};

__global__ void bitfield_of_shared_defect(int *out)
{
    __shared__ tag tags[64];
    int t = threadIdx.x;
    tags[t].kind = t & 7; //~ race kind
    tags[t].level = 3;
    tags[t].value = t; //~ race value
    tag other = tags[63 - t]; //~ race kind value
    out[blockIdx.x * 64 + t] = other.kind + other.level + other.value;
}
