//pass
//--block-dim=64 --grid-dim=1
// Host code names what no kernel may; nothing is promised of it.

#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/tuple.h>

struct Increment : thrust::unary_function<int, int> {
    __host__ __device__ int operator()(int value) const { return value + 1; }
};
struct Add : thrust::binary_function<int, int, int> {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

__global__ void kernel(const int *in, int *out)
{
    out[threadIdx.x] = Add()(Increment()(in[threadIdx.x]), 1);
}

void host(int *memory, size_t bytes)
{
    void *storage = memory;
    cub::DeviceReduce::Sum(storage, bytes, memory, memory + 64, 64);
    cub::DeviceScan::InclusiveSum(storage, bytes, memory, memory + 64, 64);
    cub::DeviceRadixSort::SortKeys(storage, bytes, memory, memory + 64, 64);
    cub::DeviceMergeSort::SortKeys(storage, bytes, memory, 64, Add());
    cub::DeviceSegmentedReduce::Sum(storage, bytes, memory, memory + 64, 2, memory, memory + 1);
    cub::DeviceSegmentedRadixSort::SortKeys(storage, bytes, memory, memory + 64, 64, 2, memory, memory + 1);
    cub::DeviceSelect::Flagged(storage, bytes, memory, memory + 64, memory, memory, 64);
    cub::DevicePartition::Flagged(storage, bytes, memory, memory + 64, memory, memory, 64);
    cub::DeviceHistogram::HistogramEven(storage, bytes, memory, memory + 64, 9, 0, 8, 64);
    cub::DeviceRunLengthEncode::Encode(storage, bytes, memory, memory + 64, memory, memory, 64);
    cub::DoubleBuffer<int> buffers(memory, memory + 64);
    cub::CachingDeviceAllocator allocator(true);
    CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
    CubDebug(allocator.DeviceFree(storage));
    thrust::device_vector<int> values(64);
    thrust::host_vector<int> others(64);
    thrust::device_ptr<int> first = thrust::device_pointer_cast(memory);
    thrust::device_reference<int> reference = first[0];
    thrust::counting_iterator<int> counts(0);
    thrust::constant_iterator<int> ones(1);
    thrust::transform_iterator<Increment, int *> increments(memory, Increment());
    thrust::permutation_iterator<int *, int *> permuted(memory, memory);
    thrust::zip_iterator<thrust::tuple<int *, int *>> zipped(thrust::make_tuple(memory, memory));
    thrust::discard_iterator nowhere;
    int a = 1, b = 2;
    thrust::tie(a, b);
    thrust::sort(first, first + 64);
    try {
        kernel<<<1, 64>>>(memory, buffers.Alternate());
    } catch (thrust::system_error &error) {
        error.what();
    }
}
