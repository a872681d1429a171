//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Several numbers have as many leading zeros, as many ones, the same byte, half or sum.

__global__ void integers(int *out)
{
    int t = threadIdx.x;
    out[__clz(t)] = t; //~ race zeros
    out[100 + __popc(t)] = t; //~ race ones
    out[200 + (__byte_perm(t, 0, 0x4441) & 0xff)] = t; //~ race byte
    out[300 + (__dp4a(t, 0, 7))] = t; //~ race sum
}
