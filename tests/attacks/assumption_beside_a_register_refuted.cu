//unknown
//--block-dim=4 --grid-dim=1
// Where the thread runs has no influence on the sum that overflows in every run.

__global__ void beside_a_register(int *list, unsigned *where)
{
    int t = threadIdx.x;
    unsigned processor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
    where[t] = processor;
    int e = 2147483646 + t;
    list[e < 0 ? 0 : t] = t;
}
