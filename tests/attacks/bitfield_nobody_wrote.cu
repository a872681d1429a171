//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A bit-field is read that nobody has written; that it is written back plays no part.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
};

__global__ void bitfield_nobody_wrote(int *out)
{
    __shared__ tag tags[64];
    int t = threadIdx.x;
    tags[t].kind = tags[t].kind + 1; //~ uninitialised-read
    out[blockIdx.x * 64 + t] = tags[t].kind;
}
