//unknown
//--block-dim=4 --grid-dim=1
// A thread waits for itself, whatever the clock says.

__global__ void termination_beside_a_clock(volatile int *flag, long long *times)
{
    int t = threadIdx.x;
    times[t] = clock64();
    flag[t] = 0;
    while (flag[t] == 0) {
    }
}
