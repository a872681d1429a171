//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// One thread ends the launch, and the others may have raced before that.

__global__ void trap_beside_race(int *a)
{
    if (threadIdx.x == 0)
        __trap();
    a[0] = threadIdx.x; //~ race
}
