//pass
//--local_size=64 --num_groups=4
// A struct with bit-fields is copied, of which all were written.

struct tag {
    unsigned kind : 3;
    unsigned level : 5;
    char plain;
};

__global__ void struct_copy_bitfields(tag *out)
{
    __shared__ tag tags[64];
    int t = threadIdx.x;
    tags[t].kind = 3;
    tags[t].level = 4;
    tags[t].plain = 'a';
    __syncthreads();
    out[blockIdx.x * 64 + t] = tags[63 - t];
}
