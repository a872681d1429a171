/* Atomic functions, in their three scopes. */
#ifndef LOCKSTEP_ATOMICS
#define LOCKSTEP_ATOMICS
#pragma clang system_header

#define __LOCKSTEP_ATOMIC(NAME, T)                                                                                   \
    __LOCKSTEP_DEVICE T NAME(T *address, T value);                                                                   \
    __LOCKSTEP_DEVICE T NAME##_block(T *address, T value);                                                           \
    __LOCKSTEP_DEVICE T NAME##_system(T *address, T value);
#define __LOCKSTEP_COMPARE(T)                                                                                        \
    __LOCKSTEP_DEVICE T atomicCAS(T *address, T compare, T value);                                                   \
    __LOCKSTEP_DEVICE T atomicCAS_block(T *address, T compare, T value);                                             \
    __LOCKSTEP_DEVICE T atomicCAS_system(T *address, T compare, T value);
#define __LOCKSTEP_INTEGER_ATOMICS(T)                                                                                \
    __LOCKSTEP_ATOMIC(atomicAdd, T)                                                                                  \
    __LOCKSTEP_ATOMIC(atomicSub, T)                                                                                  \
    __LOCKSTEP_ATOMIC(atomicExch, T)                                                                                 \
    __LOCKSTEP_ATOMIC(atomicMin, T)                                                                                  \
    __LOCKSTEP_ATOMIC(atomicMax, T)                                                                                  \
    __LOCKSTEP_ATOMIC(atomicAnd, T)                                                                                  \
    __LOCKSTEP_ATOMIC(atomicOr, T)                                                                                   \
    __LOCKSTEP_ATOMIC(atomicXor, T)                                                                                  \
    __LOCKSTEP_COMPARE(T)
__LOCKSTEP_INTEGER_ATOMICS(int)
__LOCKSTEP_INTEGER_ATOMICS(unsigned int)
__LOCKSTEP_INTEGER_ATOMICS(long)
__LOCKSTEP_INTEGER_ATOMICS(unsigned long)
__LOCKSTEP_INTEGER_ATOMICS(long long)
__LOCKSTEP_INTEGER_ATOMICS(unsigned long long)
__LOCKSTEP_ATOMIC(atomicInc, unsigned int)
__LOCKSTEP_ATOMIC(atomicDec, unsigned int)
__LOCKSTEP_ATOMIC(atomicAdd, float)
__LOCKSTEP_ATOMIC(atomicAdd, double)
__LOCKSTEP_ATOMIC(atomicAdd, float2)
__LOCKSTEP_ATOMIC(atomicAdd, float4)
__LOCKSTEP_ATOMIC(atomicExch, float)
__LOCKSTEP_ATOMIC(atomicExch, double)
__LOCKSTEP_COMPARE(unsigned short)

#endif
