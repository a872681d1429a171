// Cooperative groups, short floats, CUB, random numbers, libraries for the host.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cufft.h>
#include <curand.h>
#include <curand_kernel.h>
#include <mma.h>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *shared, int value) {
    int lane = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2) {
        shared[lane] = value;
        group.sync();
        if (lane < i) value += shared[lane + i];
        group.sync();
    }
    return value;
}

__global__ void groups(int *a, float *f) {
    extern __shared__ int shared[];
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto part = cg::tiled_partition<8>(warp);
    int v = a[grid.thread_rank()] + warp.shfl_down(1, 16) + part.ballot(1) + part.any(1) + warp.match_any(3);
    v = cg::reduce(warp, v, cg::plus<int>()) + cg::inclusive_scan(part, v) + cg::exclusive_scan(warp, v, cg::plus<int>());
    f[0] = cg::reduce(part, f[0], cg::greater<float>());
    if (warp.thread_rank() == 0) a[warp.meta_group_rank()] = v + part.meta_group_size();
    cg::sync(block);
    grid.sync();
    cg::coalesced_group active = cg::coalesced_threads();
    v += active.shfl(v, 0) + active.thread_rank() + cg::labeled_partition(active, v % 3).size();
    a[block.group_index().x] = sum_of(block, shared, v) + cg::tiled_partition(block, 4).thread_rank();
}

__global__ void copies(int *a, float4 *g) {
    __shared__ int shared[32];
    __shared__ float4 wide[32];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, shared, a, sizeof(shared));
    cg::wait(block);
    __pipeline_memcpy_async(&wide[threadIdx.x], &g[threadIdx.x], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void halves(half *a, half2 *b, float *f, __nv_bfloat16 *c, cuComplex *z, int n) {
    int i = threadIdx.x;
    half x = a[i], y = __float2half(1.0f), w(2.5f);
    x = __hfma(x, y, w) + x * y;
    x += y;
    if (x > y && !__hisnan(x)) a[i] = -x;
    b[i] = __hadd2(b[i] * b[i], __floats2half2_rn(1, 2));
    f[i] = __half2float(x) + (float)y + __half22float2(b[i]).x + __low2float(b[i]) + __half2int_rz(x);
    a[i] = hexp(x) + __hmax(x, y) + half(i) / half(n) + __int2half_rd(n) + __shfl_xor_sync(~0u, x, 1);
    c[i] = __float2bfloat16(f[i]) * __float2bfloat16_rn(1);
    z[i] = cuCmulf(z[i], make_cuComplex(1, cuCabsf(z[i])));
}

__global__ void random(curandState *states, float *f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(1234, i, 0, &states[i]);
    curandState state = states[i];
    f[i] = curand_uniform(&state) + curand_normal2(&state).y + curand(&state) + curand_log_normal(&state, 1, 2);
    states[i] = state;
}

template <int N> __global__ void blocks(const int *in, int *out) {
    typedef cub::BlockReduce<int, N> Reduce;
    typedef cub::BlockScan<int, N> Scan;
    typedef cub::BlockLoad<int, N, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE> Load;
    typedef cub::BlockStore<int, N, 4, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ union {
        typename Reduce::TempStorage reduce;
        typename Scan::TempStorage scan;
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int items[4];
    Load(storage.load).Load(in + blockIdx.x * 4 * N, items);
    __syncthreads();
    Scan(storage.scan).ExclusiveSum(items, items);
    __syncthreads();
    int sum = Reduce(storage.reduce).Reduce(items[0], cub::Max());
    __syncthreads();
    items[0] += sum;
    Store(storage.store).Store(out + blockIdx.x * 4 * N, items);
}

__global__ void matrices(half *a, float *c) {
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::col_major> x;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(x, a, 16);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] *= 2;
    wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

int main() {
    blocks<128><<<1, 128>>>(0, 0);
    cublasHandle_t blas;
    float one = 1;
    cublasCreate(&blas);
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 1, 2, 3, &one, &one, 3, &one, 3, &one, &one, 3);
    cufftHandle plan;
    cufftPlan1d(&plan, 10, CUFFT_C2C, 1);
    curandGenerator_t generator;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    size_t bytes;
    cub::DeviceReduce::Sum(nullptr, bytes, &one, &one, 10);
    CUdevice device;
    cuInit(0);
    return cuDeviceGet(&device, 0) == CUDA_SUCCESS;
}
