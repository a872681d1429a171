//pass
//--local_size=64 --num_groups=4
// Arithmetic on bit-fields of shared memory that the thread has set itself.

struct tag {
    int kind : 4;
    bool odd : 1;
    unsigned level : 11;
};

__global__ void bitfield_counted(int *out)
{
    __shared__ tag tags[64];
    int t = threadIdx.x;
    int was = (tags[t].level = t);
    tags[t].odd = t & 1;
    tags[t].kind = -1;
    tags[t].level += 2;
    tags[t].kind--;
    out[blockIdx.x * 64 + t] = was + tags[t].level + tags[t].kind + tags[t].odd;
}
