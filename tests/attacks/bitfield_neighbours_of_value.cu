//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Both threads write the same bits to the location, if all goes well: each may still write back what the other has just replaced.

struct tag {
    unsigned kind : 3;
    unsigned level : 3;
};

__global__ void bitfield_neighbours_of_value(tag *tags)
{
    int i = threadIdx.x;
    if (blockIdx.x == 0 && i < 2) {
        tags[0].kind = 5; //~ race
    }
}
