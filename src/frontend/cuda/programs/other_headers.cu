// Headers of libraries, of samples and of libcu++, most of which are for the host only.
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_fp8.h>
#include <cuda_gl_interop.h>
#include <cusparse.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <nv/target>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

template <class T> __device__ cuda::std::pair<T, T> both(T a, T b) { return cuda::std::make_pair(a, b); }

__global__ void standard(float *out, const float *in, cuda::std::uint32_t n) {
    static_assert(cuda::std::is_same<cuda::std::remove_const_t<const int>, int>::value, "the same");
    cuda::std::uint32_t i = threadIdx.x;
    cuda::std::array<float, 4> four = {1.0f, 2.0f, 3.0f, 4.0f};
    four[i & 3] += cuda::std::numeric_limits<float>::max();
    cuda::std::tuple<int, float> two(1, in[i]);
    cuda::std::get<1>(two) += 1.0f;
    cuda::std::span<const float> all(in, n);
    cuda::std::complex<float> z(all[i], 1.0f);
    z = z * z + cuda::std::complex<float>(1.0f);
    auto pair = both(cuda::std::get<1>(two), four[0]);
    out[i] = cuda::std::move(pair.first) + z.real();
#if __cplusplus >= 201402L
    out[i] = cuda::maximum<float>{}(out[i], cuda::minimum<>{}(1.0f, 2.0f));
#endif
    NV_IF_TARGET(NV_PROVIDES_SM_90, (no_such_function();))
    NV_IF_ELSE_TARGET(NV_ANY_TARGET, (out[i] += 1.0f;), (no_such_function();))
    NV_DISPATCH_TARGET(NV_NO_TARGET, (no_such_function(1, 2);), NV_PROVIDES_SM_70, (out[i] = both(1.0f, 2.0f).first;))
}

__global__ void waits(float *out, const float *in, int n) {
    __shared__ block_barrier arrived;
    __shared__ cuda::latch<cuda::thread_scope_block> latch;
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> semaphore;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ float tile[64];
    auto block = cg::this_thread_block();
    if (threadIdx.x == 0) {
        init(&arrived, blockDim.x);
        init(&latch, 1);
        new (&semaphore) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    }
    block_barrier::arrival_token token = arrived.arrive();
    arrived.wait(cuda::std::move(token));
    arrived.wait(arrived.arrive());
    arrived.arrive_and_wait();
    latch.count_down();
    semaphore.acquire();
    auto pipe = cuda::make_pipeline(block, &state);
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof(tile)), pipe);
    cuda::memcpy_async(tile, in, sizeof(float), arrived);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    pipe.consumer_wait();
    pipe.consumer_release();
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    own.consumer_wait();
    cg::invoke_one(block, [&] { out[0] = 1.0f; });
}

__global__ void eighths(__nv_fp8_e4m3 *out, const float *in) {
    out[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x]);
    __half_raw raw = __nv_cvt_fp8_to_halfraw(out[threadIdx.x].__x, __NV_E4M3);
    out[threadIdx.x].__x = __nv_cvt_float_to_fp8((float)out[threadIdx.x] + (float)__half(raw), __NV_SATFINITE, __NV_E4M3);
}

__global__ void pairs(__half2 *a, __nv_bfloat162 *b) {
    atomicAdd(a, __half2(a[1]));
    atomicAdd(b, __nv_bfloat162(b[1]));
    new (a) __half2(a[1]);
}

int main(int argc, char **argv) {
    int device = findCudaDevice(argc, (const char **)argv);
    StopWatchInterface *timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    nvtxRangePush("standard");
    nvtx3::scoped_range range{"all"};
    float *out;
    checkCudaErrors(cudaMalloc(&out, 64 * sizeof(float)));
    standard<<<1, 64>>>(out, out, 64);
    getLastCudaError("standard");
    nvtxRangePop();
    nvrtcProgram program;
    nvrtcCompileProgram(program, 0, NULL);
    cusparseHandle_t sparse;
    cusparseCreate(&sparse);
    GLuint buffer = 0;
    cudaGraphicsResource_t resource;
    checkCudaErrors(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsMapFlagsNone));
    std::cout << sdkGetTimerValue(&timer) << device << checkCmdLineFlag(argc, (const char **)argv, "n");
    return EXIT_SUCCESS;
}
