//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As device_variables.cu, but the counter is raised without an atomic, and loses counts.

__device__ unsigned int seen;
__device__ __managed__ int largest = -1;
__device__ int last_of_block[16];

__global__ void survey(const int *in, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n) {
        seen++; //~ race
        atomicMax(&largest, in[gid]);
    }
    if (threadIdx.x == blockDim.x - 1) {
        last_of_block[blockIdx.x] = gid;
    }
}
