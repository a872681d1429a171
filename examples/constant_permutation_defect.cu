//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As constant_permutation.cu, but the table has an entry twice: two of eight threads write to the
// same place.

static __constant__ const int bit_reversed[8] = {0, 4, 2, 6, 1, 5, 3, 6};

__global__ void reorder(const float *__restrict__ in, float *__restrict__ out)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    out[gid / 8 * 8 + bit_reversed[gid % 8]] = in[gid]; //~ race
}
