/* The profiler's functions for the host, declared only. */
#ifndef LOCKSTEP_CUDA_PROFILER_API
#define LOCKSTEP_CUDA_PROFILER_API
#pragma clang system_header

extern "C" cudaError_t cudaProfilerStart(), cudaProfilerStop();

#endif
