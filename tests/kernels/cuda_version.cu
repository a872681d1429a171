//pass
//--block-dim=64 --grid-dim=1
// Without anything else, the version is a current one.
#if CUDA_VERSION != CUDART_VERSION || CUDA_VERSION / 1000 != __CUDACC_VER_MAJOR__
#error "the versions disagree"
#endif
__global__ void k(int *a)
{
#if CUDA_VERSION >= 13000
    a[threadIdx.x] = threadIdx.x;
#else
    a[threadIdx.x / 2] = threadIdx.x;
#endif
}
