//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// As bool_in_memory.cu, which looks for a 2.

__global__ void bool_in_memory_defect(bool *flags, int *out, int n)
{
    int t = threadIdx.x;
    flags[t] = n != 0;
    int other = reinterpret_cast<unsigned char *>(flags)[t];
    out[flags[t] == (other == 2) ? t : 0] = t; //~ race
}
