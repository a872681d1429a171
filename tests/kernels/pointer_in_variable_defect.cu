//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The array that is read is the one that is written.

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
        problem.out[i] = problem.out[i + 1]; //~? race
    }
    ranks[i] = i;
}
