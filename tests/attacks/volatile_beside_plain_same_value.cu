//xfail:NOT_ALL_VERIFIED
//--block-dim=2 --grid-dim=1
// In a kernel with fences a volatile store is a relaxed atomic one. A plain store races with it, whatever both write.

__global__ void volatile_beside_plain(int *flag)
{
    if (threadIdx.x == 0) {
        *flag = 5; //~? race
    } else {
        *(volatile int *)flag = 5; //~? race
    }
    __threadfence();
}
