//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The counter wraps: a larger number is no later one.

__global__ void k(int *partial, unsigned *count, int *out)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = 1; //~ race
        __threadfence();
        unsigned ticket = atomicInc(count, 1);
        __threadfence();
        __builtin_assume(ticket <= 1);
        if (ticket == 1) {
            int sum = 0;
            for (unsigned i = 0; i < gridDim.x; i++)
                sum += partial[i]; //~ race
            out[blockIdx.x] = sum;
        }
    }
}
