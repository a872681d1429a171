//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
// The counter begins anew behind 63.

__global__ void with_a_bound(unsigned *count, unsigned *list)
{
    unsigned at = atomicInc(count, 63);
    list[at] = threadIdx.x + 64 * blockIdx.x; //~ race
}
