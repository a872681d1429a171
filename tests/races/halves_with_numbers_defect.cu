// racy
// run: --block-dim=128 --grid-dim=2 --arg=data=iota:int*256
// The barrier of a half does not wait for the other half, whose cells are read.

__global__ void halves_with_numbers(int *data)
{
    __shared__ int cells[128];
    const unsigned half = threadIdx.x / 64, place = threadIdx.x % 64;
    cells[threadIdx.x] = data[blockIdx.x * 128 + threadIdx.x]; //~ race
    asm volatile("bar.sync %0, 64;" :: "r"(half + 1) : "memory");
    const int other = cells[(1 - half) * 64 + 63 - place]; //~ race
    asm volatile("bar.sync 5, 128;" ::: "memory");
    cells[127 - threadIdx.x] = other;
    asm volatile("bar.sync 0;" ::: "memory");
    data[blockIdx.x * 128 + threadIdx.x] = cells[threadIdx.x];
}
