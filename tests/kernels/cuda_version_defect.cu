//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1 -D CUDA_VERSION=11080
// An older version is asked for, in which the kernel is another one.
#if CUDA_VERSION != CUDART_VERSION || CUDA_VERSION / 1000 != __CUDACC_VER_MAJOR__
#error "the versions disagree"
#endif
__global__ void k(int *a)
{
#if CUDA_VERSION >= 13000
    a[threadIdx.x] = threadIdx.x;
#else
    a[threadIdx.x / 2] = threadIdx.x; //~ race
#endif
}
