//pass
//--blockDim=64 --gridDim=16
// Where the host has put pointers: into variables of the file.

struct Problem {
    const float *in;
    float *out;
    int length;
};
__constant__ Problem problem;
__device__ int *ranks;

__global__ void pointer_in_variable()
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < problem.length) {
        problem.out[i] = problem.in[i] + problem.in[i + 1];
    }
    ranks[i] = i;
}
