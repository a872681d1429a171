//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Adjacent bit-fields are one memory location: of two threads that set one each, one may lose.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
};

__global__ void bitfield_neighbours(tag *tags)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) {
        tags[i / 2].kind = 1; //~ race
    } else {
        tags[i / 2].level = 1; //~ race
    }
}
