//unknown
//--blockDim=64 --gridDim=2
// What the assembly of another machine does is not known, however little it says of itself.
#include <hip/hip_runtime.h>

__global__ void assembly_refused(int *out)
{
    asm volatile("s_barrier"); //~ unsupported
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
