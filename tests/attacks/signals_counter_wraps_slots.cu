//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The counter wraps, so that numbers are drawn twice.

__global__ void ring(int *buf, unsigned *head)
{
    unsigned slot = atomicInc(head, 63);
    buf[slot] = blockIdx.x; //~ race
    __threadfence();
}
