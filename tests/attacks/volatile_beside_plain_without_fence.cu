//pass
//--block-dim=2 --grid-dim=1
// Without fences a volatile store tells nobody anything and is taken for a plain one, of which two may write the same value.

__global__ void volatile_without_fence(int *flag)
{
    if (threadIdx.x == 0) {
        *flag = 5;
    } else {
        *(volatile int *)flag = 5;
    }
}
