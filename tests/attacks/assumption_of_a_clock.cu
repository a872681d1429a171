//pass
//--block-dim=4 --grid-dim=1
// The clock may say what keeps the sum from overflowing.

__global__ void of_a_clock(int *list)
{
    int t = threadIdx.x;
    int e = (int)clock64() + t;
    list[e < (int)clock64() ? t : t] = t / (e == 0 ? 1 : e);
}
