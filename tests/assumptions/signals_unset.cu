//pass
//--blockDim=1 --gridDim=2
// assumes: `flag` holds zeros when the kernel starts
// otherwise defect: --without signals
// broken: --block-dim=1 --grid-dim=2 --arg=flag=iota:int

__global__ void signals_unset(int *data, int *flag, int *out)
{
    if (blockIdx.x == 1) {
        *data = 42;
        __threadfence();
        atomicExch(flag + 1, 1);
    } else if (atomicAdd(flag + 1, 0) == 1) {
        __threadfence();
        *out = *data;
    }
}
