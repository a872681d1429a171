//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As bitfield_apart.cu, but two of the locations are one.

struct tag {
    unsigned char kind : 3;
    unsigned char level : 5;
    unsigned : 0;
    unsigned mode : 7;
};

__global__ void bitfield_apart_defect(tag *tags)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (i & 3) {
    case 0: tags[i / 4].kind = 1; break; //~ race
    case 1: tags[i / 4].mode = 5; break;
    case 2: tags[i / 4].level = 5; break; //~ race
    }
}
