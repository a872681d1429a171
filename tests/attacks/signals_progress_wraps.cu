//unknown
//--blockDim=64 --gridDim=2
// The number has eight bits, so at step 255 nobody waits.

__global__ void progress_wraps(int *data, unsigned char *done, int *out, int n)
{
    for (int step = 0; step < n; step++) {
        if (blockIdx.x == 0) {
            data[step * 64 + threadIdx.x] = step;
            __syncthreads();
            if (threadIdx.x == 0) {
                __threadfence();
                *(volatile unsigned char *)done = step + 1;
            }
        } else {
            if (threadIdx.x == 0) {
                while (*(volatile unsigned char *)done < (unsigned char)(step + 1)) {
                }
                __threadfence();
            }
            __syncthreads();
            out[step * 64 + threadIdx.x] = data[step * 64 + 63 - threadIdx.x];
        }
    }
}
