//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Reading a bit-field reads the location that another thread writes a neighbour in.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
};

__global__ void bitfield_read_beside_write(tag *tags, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) {
        tags[i / 2].kind = 1; //~ race
    } else {
        out[i] = tags[i / 2].level; //~ race
    }
}
