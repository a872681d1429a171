//unknown
//--blockDim=32 --timeout=5
// Block 0 reads the data only if block 1 has read the old value of `x`. Then block 1's fence comes
// first: otherwise its read would have to see the new value. So the data is ordered, although no
// thread reads what another one has written behind a fence. No rule of the proof knows this.

__global__ void replaced(int *data, volatile int *x, volatile int *y, int *out)
{
    if (threadIdx.x != 0) {
        return;
    }
    if (blockIdx.x == 0) {
        *x = 1;
        __threadfence();
        for (int i = 0; i < 50; i++) {
            if (*y == 1) {
                *out = *data;
                break;
            }
        }
    } else if (blockIdx.x == 1) {
        *data = 1;
        __threadfence();
        if (*x == 0) {
            *y = 1;
        }
    }
}
