//xfail:NOT_ALL_VERIFIED
//--block-dim=2 --grid-dim=1
// Relaxed atomic stores of different widths race, and a fence anywhere makes volatile stores such.

__global__ void volatile_of_two_widths(int *flag)
{
    if (threadIdx.x == 0) {
        *(volatile char *)flag = 0; //~ race
    } else {
        *(volatile int *)flag = 0; //~ race
    }
    if (flag[1] == 7) __threadfence();
}
