//pass
//--block-dim=64 --grid-dim=1
// What is true is 1 in memory, and nothing else.

__global__ void bool_in_memory(bool *flags, int *out, int n)
{
    int t = threadIdx.x;
    flags[t] = n != 0;
    int other = reinterpret_cast<unsigned char *>(flags)[t];
    out[flags[t] == (other == 1) ? t : 0] = t;
}
