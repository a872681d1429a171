//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// The second round writes what a lane may still be reading.

__global__ void rounds(const int *in, int *out)
{
    __shared__ int cells[32];
    unsigned t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        cells[t] = in[32 * i + t]; //~ race
        __syncwarp();
        sum += cells[t ^ 1]; //~ race
    }
    out[t] = sum;
}
