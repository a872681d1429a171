//pass
//
// The members of an object change places in each step.
#include <cuda_runtime.h>
#include <utility>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1;
}

struct Solver {
    float *to, *from;
    Solver(float *first, float *second, int count) : to(first), from(second)
    {
    }
    void step()
    {
        add<<<1, 64>>>(to, from);
        std::swap(to, from);
    }
};

int main(int count, char **)
{
    float *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    Solver solver(p, q, count);
    for (int i = 0; i < count; i++)
        solver.step();
    return 0;
}
