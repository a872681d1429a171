//pass
//--block-dim=64 --grid-dim=1
// Functions of integers compute their values.

__global__ void integers(int *out)
{
    int t = threadIdx.x;
    out[__clz(1 << t % 32) + 32 * (t / 32)] = t;
    out[64 + __popc(t ^ t)] = 1;
    if (__popc(t) == 6) out[100] = t;
    out[200 + (__byte_perm(t, 0, 0x4440) & 0xff)] = t;
    out[300 + (__vadd2(t, 0x00010000) & 0xffff)] = t;
    out[400 + __dp4a(t, 1, 7)] = t;
}
