/* cuRAND's functions for devices: each reads and writes the whole state that it is given, and returns anything. What is in a
   state is not documented. Here all bytes get one unknown value, and direction vectors are kept as they are given. */
#ifndef LOCKSTEP_CURAND_KERNEL
#define LOCKSTEP_CURAND_KERNEL
#pragma clang system_header
#include "curand.h"
#include "lockstep/any.h"

#define __LOCKSTEP_STATE(NAME, WORDS)                                                                                \
    struct NAME { unsigned int words[WORDS]; };                                                                      \
    typedef struct NAME NAME##_t;
__LOCKSTEP_STATE(curandStateXORWOW, 12)
__LOCKSTEP_STATE(curandStateMRG32k3a, 18)
__LOCKSTEP_STATE(curandStatePhilox4_32_10, 16)
__LOCKSTEP_STATE(curandStateSobol32, 35)
__LOCKSTEP_STATE(curandStateScrambledSobol32, 35)
__LOCKSTEP_STATE(curandStateSobol64, 134)
__LOCKSTEP_STATE(curandStateScrambledSobol64, 134)
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
/* A block's threads, 256 at most, share a state of this kind, of one block only. They all draw together, as often as
   they like without a barrier of the program: so each of them has a place of its own in the state, which it shares with
   whoever comes 256 threads later. That they wait for each other orders nothing else. */
typedef struct curandStateMtgp32 { unsigned int words[1024]; unsigned int offset; } curandStateMtgp32_t;
typedef struct mtgp32_kernel_params { unsigned int words[64]; } mtgp32_kernel_params_t;

template <class S> __LOCKSTEP_INLINE void __lockstep_advance(S *state) {
    unsigned int before = state->words[0];
    __builtin_memset(state, (unsigned char)__lockstep_choice(), sizeof(S));
    state->words[0] = __lockstep_choice(before + 1);
}
__LOCKSTEP_INLINE void __lockstep_advance(curandStateMtgp32 *state) {
    unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    __lockstep_library_barrier();
    volatile unsigned int *own = &state->words[thread & 255];
    (void)*own;
    *own = __lockstep_choice();
}
template <class S> __LOCKSTEP_INLINE void __lockstep_begin(S *state) {
    __builtin_memset(state, (unsigned char)__lockstep_choice(), sizeof(S));
}
/* With direction vectors, of which there is one for each bit. */
template <class D, class S> __LOCKSTEP_INLINE void __lockstep_begin(S *state, const D *vectors) {
    static_assert(sizeof(S) == (8 * sizeof(D) + 3) * sizeof(D), "a state has the vectors and three words more");
    __lockstep_begin(state);
    __builtin_memcpy((D *)state + 3, vectors, 8 * sizeof(D) * sizeof(D));
}

template <class S>
__LOCKSTEP_INLINE void curand_init(unsigned long long, unsigned long long, unsigned long long, S *state) {
    __lockstep_begin(state);
}
template <class D, class S> __LOCKSTEP_INLINE void curand_init(const D *vectors, unsigned int, S *state) {
    __lockstep_begin(state, vectors);
}
template <class D, class C, class S> __LOCKSTEP_INLINE void curand_init(const D *vectors, C, unsigned int, S *state) {
    __lockstep_begin(state, vectors);
}
template <class S> __LOCKSTEP_INLINE void skipahead(unsigned long long, S *state) { __lockstep_advance(state); }
template <class S> __LOCKSTEP_INLINE void skipahead_sequence(unsigned long long, S *state) {
    __lockstep_advance(state);
}
template <class S> __LOCKSTEP_INLINE void skipahead_subsequence(unsigned long long, S *state) {
    __lockstep_advance(state);
}

#define __LOCKSTEP_FLOAT __lockstep_any_as<float>::value()
#define __LOCKSTEP_DOUBLE __lockstep_any_as<double>::value()
#define __LOCKSTEP_DRAW(NAME, T, RESULT, ...)                                                                        \
    template <class S> __LOCKSTEP_INLINE T NAME(S *state __VA_OPT__(, ) __VA_ARGS__) {                               \
        __lockstep_advance(state);                                                                                   \
        return RESULT;                                                                                               \
    }
#define __LOCKSTEP_WORDS {__lockstep_any(), __lockstep_any(), __lockstep_any(), __lockstep_any()}
#define __LOCKSTEP_DRAWS(KIND, ...)                                                                                  \
    __LOCKSTEP_DRAW(curand_##KIND, float, __LOCKSTEP_FLOAT __VA_OPT__(, float, float))                               \
    __LOCKSTEP_DRAW(curand_##KIND##2, float2, make_float2(__LOCKSTEP_FLOAT, __LOCKSTEP_FLOAT)                        \
                    __VA_OPT__(, float, float))                                                                      \
    __LOCKSTEP_DRAW(curand_##KIND##4, float4,                                                                        \
                    make_float4(__LOCKSTEP_FLOAT, __LOCKSTEP_FLOAT, __LOCKSTEP_FLOAT, __LOCKSTEP_FLOAT)              \
                    __VA_OPT__(, float, float))                                                                      \
    __LOCKSTEP_DRAW(curand_##KIND##_double, double, __LOCKSTEP_DOUBLE __VA_OPT__(, double, double))                  \
    __LOCKSTEP_DRAW(curand_##KIND##2_double, double2, make_double2(__LOCKSTEP_DOUBLE, __LOCKSTEP_DOUBLE)             \
                    __VA_OPT__(, double, double))
__LOCKSTEP_DRAWS(uniform)
__LOCKSTEP_DRAWS(normal)
__LOCKSTEP_DRAWS(log_normal, mean, deviation)
__LOCKSTEP_DRAW(curand, unsigned int, __lockstep_any())
__LOCKSTEP_DRAW(curand4, uint4, __LOCKSTEP_WORDS)
__LOCKSTEP_DRAW(curand_poisson, unsigned int, __lockstep_any(), double)
__LOCKSTEP_DRAW(curand_poisson4, uint4, __LOCKSTEP_WORDS, double)
__LOCKSTEP_DRAW(curand_discrete, unsigned int, __lockstep_any(), curandDiscreteDistribution_t)

#endif
