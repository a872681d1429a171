//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Lanes with different values all get nothing.

__global__ void match(int *out)
{
    int t = threadIdx.x, all;
    if (__match_all_sync(0xffffffff, t, &all) == 0) out[0] = t; //~ race
}
