// Thrust on the host, its functors, complex and random numbers on the device.
#include <algorithm>
#include <iostream>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <vector>

struct Saxpy {
    float a;
    __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; }
};

__global__ void kernel(float *p, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    thrust::default_random_engine engine(i);
    thrust::uniform_real_distribution<float> uniform(0, 1);
    thrust::complex<float> z(1, 2), w = z * z;
    p[i] = thrust::plus<float>()(p[i], 1) + Saxpy{2}(1, 2) + uniform(engine) + w.real() + thrust::norm(w);
}

int main() {
    thrust::host_vector<int> h(1 << 20);
    thrust::generate(h.begin(), h.end(), rand);
    thrust::device_vector<int> d = h, filled(100, 3), other;
    std::vector<int> v(10);
    thrust::device_vector<int> copied(v.begin(), v.end());
    thrust::sort(d.begin(), d.end());
    thrust::copy(d.begin(), d.end(), h.begin());
    int sum = thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>());
    int *p = thrust::raw_pointer_cast(d.data()), *q = thrust::raw_pointer_cast(&d[0]);
    thrust::device_ptr<int> pointer = thrust::device_pointer_cast(p);
    thrust::fill(pointer, pointer + 10, 0);
    thrust::sequence(thrust::device, p, p + 10);
    thrust::inclusive_scan(thrust::cuda::par.on(0), p, p + 3, q);
    thrust::for_each(thrust::make_counting_iterator(0), thrust::make_counting_iterator(10), thrust::negate<int>());
    int position = thrust::max_element(d.begin(), d.end()) - d.begin();
    d[4] = d[3] + 5;
    kernel<<<1, 2>>>((float *)p, position);
    std::sort(v.begin(), v.end());
    std::cout << sum << h[3] << d.size();
}
