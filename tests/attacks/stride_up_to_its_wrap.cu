//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The loop goes on while the counter is large, so only its wrap ends it.

__global__ void stride_up_to_its_wrap(int *a, unsigned n)
{
    unsigned least = n & 0xff, i = 0xfffff000u + threadIdx.x;
    while (i >= least) {
        a[i & 63] = 1;
        i += blockDim.x;
    }
    a[1000 + (i & 7)] = threadIdx.x; //~ race
}
