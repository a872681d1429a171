//pass
//--block-dim=4 --grid-dim=1
// The clock may say what keeps the sum from overflowing.

__global__ void of_a_clock(int *list)
{
    int t = threadIdx.x;
    int now = (int)clock64();
    int e = now + t;
    list[e < now ? 0 : t] = t;
}
