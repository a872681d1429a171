/* The helpers of NVIDIA's samples for devices and errors, which are taken not to happen. */
#ifndef LOCKSTEP_HELPER_CUDA
#define LOCKSTEP_HELPER_CUDA
#pragma clang system_header
#include <stdint.h>
#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif

template <class T> void check(T result, const char *const function, const char *const file, const int line) {}
inline void __getLastCudaError(const char *, const char *, const int) {}
inline void __printLastCudaError(const char *, const char *, const int) {}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5 : value - 0.5); }
template <class T> const char *_cudaGetErrorEnum(T error);
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int argc, const char **argv);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);

#endif
