//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=1
// All bits are zero, both fields are set to zero again: no value differs, and it is a race all the same.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
};

__global__ void bitfield_lost_update(int *out)
{
    __shared__ tag one;
    if (threadIdx.x == 0) {
        one.kind = 0;
        one.level = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        one.kind = 0; //~ race
    } else {
        one.level = 0; //~ race
    }
}
