//pass
//--local_size=64 --num_groups=4
// A bit-field of width zero separates two locations, as does a member that is none.

struct tag {
    unsigned char kind : 3;
    unsigned char level : 5;
    unsigned : 0;
    unsigned mode : 7;
    unsigned char plain;
    unsigned char last : 2;
};

__global__ void bitfield_apart(tag *tags)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (i & 3) {
    case 0: tags[i / 4].kind = 1; tags[i / 4].level = 2; break;
    case 1: tags[i / 4].mode = 5; break;
    case 2: tags[i / 4].plain = 5; break;
    default: tags[i / 4].last = 1; break;
    }
}
