//pass
//
// The host uses Thrust, and parts of it that are not public.

#include <thrust/device_vector.h>
#include <thrust/detail/allocator_traits.h>
#include <thrust/sort.h>

__global__ void scale(float *cells, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) cells[i] = 2 * cells[i];
}

int main()
{
    thrust::device_vector<float> cells(1000);
    thrust::fill(cells.begin(), cells.end(), 1.0f);
    thrust::detail::allocator_traits<std::allocator<float>>::pointer pointer = 0;
    scale<<<4, 256>>>(thrust::raw_pointer_cast(cells.data()), 1000);
    thrust::sort(cells.begin(), cells.end());
    return thrust::reduce(cells.begin(), cells.end()) > cells.internal_state();
}
