//pass
//--local_size=64 --num_groups=16
// open sizes too
// Where each of eight threads writes is looked up in a constant table. Nobody races because the
// table is a permutation, which can be seen as it is const.

static __constant__ const int bit_reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};

__global__ void reorder(const float *__restrict__ in, float *__restrict__ out)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    out[gid / 8 * 8 + bit_reversed[gid % 8]] = in[gid];
}
