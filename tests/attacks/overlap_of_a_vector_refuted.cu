//xfail:NOT_ALL_VERIFIED
//
// Both pointers are to the memory of one container.
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
    add<<<1, 64>>>(thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(v.data()));
    return 0;
}
