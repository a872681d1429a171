//unknown
//--block-dim=64 --grid-dim=1
// Memory whose size is computed.

__global__ void alloca_of_computed_size(int *data, int n)
{
    int *mine = (int *)__builtin_alloca(n); //~ unsupported
    mine[0] = 1;
    data[threadIdx.x] = mine[0];
}
