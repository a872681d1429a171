//unknown
//--block-dim=4 --grid-dim=1
// The clock has no influence on the sum that overflows in every run.

__global__ void beside_a_clock(int *list, long long *times)
{
    int t = threadIdx.x;
    times[t] = clock64();
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
