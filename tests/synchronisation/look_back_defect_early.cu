//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The state tells of the prefix before it is there.

__global__ void look_back(const int *in, int *sums, int *prefixes, int *states, int *out)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        int own = in[blockIdx.x];
        sums[blockIdx.x] = own;
        __threadfence();
        atomicExch(&states[blockIdx.x], 1);
        int sum = 0;
        int at = (int)blockIdx.x - 1;
        while (at >= 0) {
            int state;
            do {
                state = atomicAdd(&states[at], 0);
            } while (state == 0);
            __threadfence();
            if (state == 2) {
                sum += prefixes[at]; //~ race
                break;
            }
            sum += sums[at];
            at--;
        }
        __threadfence();
        atomicExch(&states[blockIdx.x], 2);
        prefixes[blockIdx.x] = sum + own; //~ race
        before = sum;
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = before;
}
