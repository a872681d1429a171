//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As walsh_transform.cu, but the index is not spread out: for short strides the second element of
// one butterfly is the first of another.

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
        unsigned i = (t - low) + low;
        float a = data[i]; //~ race a
        float b = data[i + stride]; //~ race b
        data[i] = a + b; //~ race b both
        data[i + stride] = a - b; //~ race a both
    }
    __syncthreads();

    own[0] = data[t];
    own[SIZE / 2] = data[t + SIZE / 2];
}

template __global__ void walsh_transform<128>(float *);
