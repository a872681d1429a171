//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fence comes before the look, in each round.

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
            __threadfence();
            do {
                state = atomicAdd(&states[at], 0);
            } while (state == 0);
            if (state == 2) {
                sum += prefixes[at]; //~ race
                break;
            }
            sum += sums[at];
            at--;
        }
        prefixes[blockIdx.x] = sum + own; //~ race
        __threadfence();
        atomicExch(&states[blockIdx.x], 2);
        before = sum;
    }
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = before;
}
