//pass
//--local_size=64 --num_groups=16
// The fast Walsh transform of 128 elements in shared memory: butterflies over halving strides,
// with the thread's index spread out so that each touches a pair of its own.

template <unsigned SIZE>
__global__ void __launch_bounds__(SIZE / 2) walsh_transform(float *signal)
{
    __shared__ float data[SIZE];
    unsigned t = threadIdx.x;
    float *own = signal + blockIdx.x * SIZE + t;
    data[t] = own[0];
    data[t + SIZE / 2] = own[SIZE / 2];

    for (unsigned stride = SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned low = t & (stride - 1);
        unsigned i = 2 * (t - low) + low;
        float a = data[i];
        float b = data[i + stride];
        data[i] = a + b;
        data[i + stride] = a - b;
    }
    __syncthreads();

    own[0] = data[t];
    own[SIZE / 2] = data[t + SIZE / 2];
}

template __global__ void walsh_transform<128>(float *);
