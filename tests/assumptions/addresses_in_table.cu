//pass
//--block-dim=64 --grid-dim=4
// assumes: the addresses in tables are those that it is initialised with
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
// The host may write the table: both addresses may be the same then.
__device__ int even[257], odd[257];
__device__ int *tables[2] = {even, odd};

__global__ void addresses_in_table()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef OTHERWISE
    even[i] = odd[i + 1] + i;
#else
    tables[0][i] = tables[1][i + 1] + i;
#endif
}
