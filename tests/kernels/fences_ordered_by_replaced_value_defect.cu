//xfail:NOT_ALL_VERIFIED
//--blockDim=32
// As fences_ordered_by_replaced_value.cu, but block 1 tells of its data whatever it has read. If it
// has read the new value, nothing orders the data.

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
                *out = *data; //~ race
                break;
            }
        }
    } else if (blockIdx.x == 1) {
        *data = 1; //~ race
        __threadfence();
        if (*x <= 1) {
            *y = 1;
        }
    }
}
