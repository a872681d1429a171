/* cuda::std::complex: the standard library's, with arithmetic for devices. */
#ifndef LOCKSTEP_CUDA_STD_COMPLEX
#define LOCKSTEP_CUDA_STD_COMPLEX
#pragma clang system_header
#include "cuda/std/utility"
#include <complex>

#endif
