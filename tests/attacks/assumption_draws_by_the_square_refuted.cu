//unknown
//--block-dim=64 --grid-dim=4
// Each of 256 threads draws some 90000 numbers, of 2^24, in a loop whose length is not known at once.

__global__ void draws_by_the_square(unsigned *count, unsigned *list)
{
    unsigned long long sum = 0;
    unsigned step = 0;
    while (sum < 4000000000ull) {
        unsigned at = atomicAdd(count, 256u);
        list[at >> 8] = threadIdx.x;
        step++;
        sum += step;
    }
}
