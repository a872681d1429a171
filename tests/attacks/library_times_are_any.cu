//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A later time need not be larger: the counter may have begun anew.

__global__ void times(int *out)
{
    int t = threadIdx.x;
    long before = clock();
    if (clock() < before) out[0] = t; //~? race cycles
    if (__globaltimer() == 0) out[1] = t; //~? race nanoseconds
}
