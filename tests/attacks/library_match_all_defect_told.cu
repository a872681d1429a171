//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Lanes with different values are all told so.

__global__ void match(int *out)
{
    int t = threadIdx.x, all;
    __match_all_sync(0xffffffff, t, &all);
    if (!all) out[0] = t; //~ race
}
