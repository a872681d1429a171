//pass
//--block-dim=32 --grid-dim=1
// Lanes with different values get nothing, and are told so; else each gets the mask.

__global__ void match(const int *in, int *out)
{
    int t = threadIdx.x, all, none;
    if (__match_all_sync(0xffffffff, t, &none) != 0) out[0] = t;
    if (none) out[1] = t;
    unsigned int mask = __match_all_sync(0xffffffff, in[t], &all);
    if (mask != 0 && mask != 0xffffffff) out[2] = t;
    if ((mask != 0) != (all != 0)) out[3] = t;
    if (mask != 0 && t == 4) out[4] = t;
    if (mask == 0 && t == 5) out[4] = t;
}
