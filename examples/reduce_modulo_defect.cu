//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As reduce_modulo.cu, without the barrier at the end of a round: the next round reads sums that
// are perhaps not there yet.

constexpr int SIZE = 64;

template <typename T>
__global__ void reduce_modulo(const T *in, T *out)
{
    __shared__ T data[SIZE];
    unsigned t = threadIdx.x;
    data[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();

    for (unsigned s = 1; s < SIZE; s *= 2) {
        if (t % (2 * s) == 0) {
            data[t] += data[t + s]; //~ race
        }
    }

    if (t == 0) {
        out[blockIdx.x] = data[0];
    }
}

template __global__ void reduce_modulo<double>(const double *, double *);
