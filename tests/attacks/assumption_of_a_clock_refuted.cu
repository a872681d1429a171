//unknown
//--block-dim=4 --grid-dim=1
// Whatever the clock says, the sum overflows.

__global__ void of_a_clock(int *list)
{
    int t = threadIdx.x;
    int e = 2147483646 + t + (int)(clock64() & 1);
    list[e < 0 ? 0 : t] = t;
}
