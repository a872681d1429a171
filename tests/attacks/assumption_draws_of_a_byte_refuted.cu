//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=3
// A byte has 256 numbers for 384 threads.

__global__ void of_a_byte(unsigned char *count, unsigned *list)
{
    unsigned char at = __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
    list[at] = blockIdx.x * blockDim.x + threadIdx.x; //~ race
}
