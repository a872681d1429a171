//unknown
//--blockDim=64 --gridDim=2
// The operator is named, and the line that uses it, whether or not the header that has a body for it is included.
//reason: memory that a kernel allocates (new)
//reason: refused_new.cu:9
#include <new>

__global__ void refused_new(int **out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = new int[4];
}
