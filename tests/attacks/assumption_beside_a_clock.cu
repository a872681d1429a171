//pass
//--block-dim=4 --grid-dim=1
// Some starts keep the sum from overflowing.

__global__ void beside_a_clock(int *list, long long *times, int start)
{
    int t = threadIdx.x;
    times[t] = clock64();
    int e = start + t;
    list[e < start ? 0 : t] = t;
}
