//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The second exchange gives back the lock of another holder.

__global__ void k(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 5) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        __threadfence();
        while (atomicExch(lock, 0) == 5) {
        }
    }
}
