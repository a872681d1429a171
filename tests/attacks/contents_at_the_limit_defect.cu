//xfail:NOT_ALL_VERIFIED
//--block-dim=* --grid-dim=* --assume=sorted(keys)&&distinct(keys)&&n==2 --without=preconditions
// The last key is the largest number there is, so no element behind it is greater.
__global__ void k(const int *keys, int *out, int *last, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = keys[i];
        if (v == 0) out[i] = i;
    }
    if (keys[1] == 2147483647) last[0] = i; //~ race
}
