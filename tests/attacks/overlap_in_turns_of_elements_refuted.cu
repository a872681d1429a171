//xfail:NOT_ALL_VERIFIED
//
// The same element is read and written.
#include <cuda_runtime.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

struct Solver {
    float *buffers[2];
    Solver()
    {
        cudaMalloc(&buffers[0], 4096);
        cudaMalloc(&buffers[1], 4096);
    }
    void run(int steps)
    {
        do {
            add<<<1, 64>>>(buffers[0], buffers[0]);
        } while (--steps > 0);
    }
};

int main(int count, char **)
{
    float *p;
    cudaMalloc(&p, 4096);
    Solver solver;
    solver.run(count);
    return 0;
}
