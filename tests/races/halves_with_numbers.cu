// race-free
// run: --block-dim=128 --grid-dim=2 --arg=data=iota:int*256
// The two halves of a block have a barrier each, and the whole block one that counts both.

__global__ void halves_with_numbers(int *data)
{
    __shared__ int cells[128];
    const unsigned half = threadIdx.x / 64, place = threadIdx.x % 64;
    cells[threadIdx.x] = data[blockIdx.x * 128 + threadIdx.x];
    asm volatile("bar.sync %0, 64;" :: "r"(half + 1) : "memory");
    const int other = cells[half * 64 + 63 - place];
    asm volatile("bar.sync 5, 128;" ::: "memory");
    cells[127 - threadIdx.x] = other;
    asm volatile("bar.sync 0;" ::: "memory");
    data[blockIdx.x * 128 + threadIdx.x] = cells[threadIdx.x];
}
