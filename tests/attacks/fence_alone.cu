//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// A fence by itself tells nobody anything: nothing is seen by the other threads before they read.

__global__ void fenced(int *data, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    data[i] = i; //~ race
    __threadfence();
    out[i] = data[i ^ 64]; //~ race
}
