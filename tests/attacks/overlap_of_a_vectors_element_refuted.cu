//xfail:NOT_ALL_VERIFIED
//
// The second pointer is the address of an element of the container.
#include <cuda_runtime.h>

#include <thrust/device_vector.h>

__global__ void add(float *to, const float *from)
{
    int i = threadIdx.x;
    to[i] = from[i + 1] + 1; //~ race
}

int main()
{
    thrust::device_vector<float> v(256);
    float *p = thrust::raw_pointer_cast(v.data());
    add<<<1, 64>>>(p, thrust::raw_pointer_cast(&v[0]));
    return 0;
}
