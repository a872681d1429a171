/* The built-in variables. Each reads a special register where it is read. */
#ifndef LOCKSTEP_VARIABLES
#define LOCKSTEP_VARIABLES
#pragma clang system_header

#define __LOCKSTEP_COMPONENT(NAME, LETTER)                                                                           \
    __declspec(property(get = __get_##LETTER)) unsigned int LETTER;                                                  \
    __attribute__((device, always_inline)) unsigned int __get_##LETTER() const {                                     \
        return __nvvm_read_ptx_sreg_##NAME##_##LETTER();                                                             \
    }
#define __LOCKSTEP_VARIABLE(NAME, REGISTER)                                                                          \
    struct __lockstep_##NAME {                                                                                       \
        __LOCKSTEP_COMPONENT(REGISTER, x)                                                                            \
        __LOCKSTEP_COMPONENT(REGISTER, y)                                                                            \
        __LOCKSTEP_COMPONENT(REGISTER, z)                                                                            \
        __attribute__((device, always_inline)) operator uint3() const { return {x, y, z}; }                          \
        __attribute__((device, always_inline)) operator dim3() const { return dim3(x, y, z); }                       \
        __lockstep_##NAME() = delete;                                                                                \
        __lockstep_##NAME(const __lockstep_##NAME &) = delete;                                                       \
        void operator=(const __lockstep_##NAME &) const = delete;                                                    \
        __lockstep_##NAME *operator&() const = delete;                                                               \
    };                                                                                                               \
    extern const __attribute__((device, weak)) __lockstep_##NAME NAME;

__LOCKSTEP_VARIABLE(threadIdx, tid)
__LOCKSTEP_VARIABLE(blockIdx, ctaid)
__LOCKSTEP_VARIABLE(blockDim, ntid)
__LOCKSTEP_VARIABLE(gridDim, nctaid)

/* How many lanes a warp has, and which of them. In HIP the command line says how many. */
#ifdef __LOCKSTEP_HIP_WARP_SIZE
#define __LOCKSTEP_WARP_SIZE __LOCKSTEP_HIP_WARP_SIZE
typedef unsigned long long __lockstep_mask;
#else
#define __LOCKSTEP_WARP_SIZE 32
typedef unsigned int __lockstep_mask;
#endif

struct __lockstep_warpSize {
    __attribute__((device, always_inline)) constexpr operator int() const { return __LOCKSTEP_WARP_SIZE; }
};
extern const __attribute__((device, weak)) __lockstep_warpSize warpSize;

#endif
