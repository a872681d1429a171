// Integer and bit instructions; the place of each result is the thread's number with its bits reversed.
// launch: --local_size=256
// defect: the reversed number is one bit too short, so that two threads have the same place.
// arch: 80 100
// only: nvcc
extern "C" __global__ void __launch_bounds__(256)
bit_instructions(const unsigned *in, const long long *wide, unsigned *out, unsigned long long *products)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    unsigned x = in[i];
    long long w = wide[i];
    unsigned y = __byte_perm(x, t, 0x3021) ^ __funnelshift_l(x, t, 7) ^ __brev(x);
    y += __clz(x) + __ffs(t) + __popc(y) + __clzll(w);
    y = __dp4a((int)x, (int)y, (int)t) + __usad(x, y, t) + __mul24((int)x, (int)t) + __umulhi(x, y);
    y ^= __vadd4(x, y) + __vabsdiffu4(x, y) + ((x & y) | (~x & t)) + max((int)x, (int)t) + (x >> (t & 31));
    y = y * 3 + (unsigned short)x % 7 + (signed char)(x >> 9) * 5;
    unsigned __int128 product = (unsigned __int128)(unsigned long long)w * (x | 1ull << 63) + t;
#ifdef DEFECT
    unsigned place = __brev(t) >> 25;
#else
    unsigned place = __brev(t) >> 24;
#endif
    out[blockIdx.x * 256 + place] = y; //~ race global
    products[i] = (unsigned long long)(product >> 64) + (unsigned long long)(w / 1000003);
}
