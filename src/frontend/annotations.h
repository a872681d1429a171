/* What specifications are written in (docs/annotations.md explains each), and what makes sources compile. Lockstep puts this text before every source
   file that it compiles, and include/lockstep.h behind it, which has what is the same for other compilers. */
#if __clang_major__ != 19
#error Lockstep needs Clang 19
#endif
#pragma clang system_header

/* Names that sources written for GPUVerify look for. */
#define __GPUVERIFY__
#ifdef __OPENCL_C_VERSION__
#define __OPENCL__
#define __LOCKSTEP_OVERLOADED __attribute__((overloadable))
#define __LOCKSTEP_DEFINED static __attribute__((used))
#else
#define __LOCKSTEP_OVERLOADED
#define __LOCKSTEP_DEFINED extern "C" __attribute__((device, used))
#pragma clang force_cuda_host_device begin
#endif

/* --- Statements ----------------------------------------------------------------------------------------- */
void __assert(bool);
void __global_assert(bool);
void __candidate_assert(bool);
void __candidate_global_assert(bool);
void __assume(bool);
void __requires(bool);
void __global_requires(bool);
void __ensures(bool);
void __global_ensures(bool);
/* Loop invariants have no value. They are declared with one so that sources that use it compile, and the mistake can be
   named. */
bool __invariant(bool);
bool __global_invariant(bool);
bool __candidate_invariant(bool);
bool __candidate_global_invariant(bool);
void __function_wide_invariant(bool);
void __function_wide_candidate_invariant(bool);

/* --- Values ---------------------------------------------------------------------------------------------- */
bool __enabled(void);
bool __dominator_enabled(void);
bool __implies(bool, bool);
long __ite(bool, long, long);
int __other_int(int);
bool __other_bool(bool);
/* Of what __ptr_base says. */
__SIZE_TYPE__ __other_ptr_base(__SIZE_TYPE__);
#define __uniform_int(e) (__other_int(e) == (int)(e))
#define __uniform_bool(e) (__other_bool(e) == (bool)(e))
#define __distinct_int(e) (__other_int(e) != (int)(e))
#define __distinct_bool(e) (__other_bool(e) != (bool)(e))
#define __all(e) __lockstep_and((e), __other_bool(e))
#define __exclusive(e) (!__lockstep_and((e), __other_bool(e)))
bool __lockstep_and(bool, bool);
bool __lockstep_same_group(void);
#define __same_group (__lockstep_same_group())

int __old_int(int);
bool __old_bool(bool);
char __return_val_char(void);
unsigned char __return_val_uchar(void);
short __return_val_short(void);
unsigned short __return_val_ushort(void);
int __return_val_int(void);
unsigned int __return_val_uint(void);
long __return_val_long(void);
unsigned long __return_val_ulong(void);
float __return_val_float(void);
bool __return_val_bool(void);
int4 __return_val_int4(void);

/* --- Accesses: each of them takes a pointer to any memory -------------------------------------------------- */
#define __LOCKSTEP_OF_POINTER(SPACE)                                                     \
    bool __LOCKSTEP_OVERLOADED __read(const volatile SPACE void *);                      \
    bool __LOCKSTEP_OVERLOADED __write(const volatile SPACE void *);                     \
    __SIZE_TYPE__ __LOCKSTEP_OVERLOADED __read_offset_bytes(const volatile SPACE void *); \
    __SIZE_TYPE__ __LOCKSTEP_OVERLOADED __write_offset_bytes(const volatile SPACE void *);\
    __SIZE_TYPE__ __LOCKSTEP_OVERLOADED __ptr_base(const volatile SPACE void *);         \
    __SIZE_TYPE__ __LOCKSTEP_OVERLOADED __ptr_offset_bytes(const volatile SPACE void *); \
    bool __LOCKSTEP_OVERLOADED __atomic_has_taken_value(const volatile SPACE void *, __SIZE_TYPE__, __SIZE_TYPE__); \
    void __LOCKSTEP_OVERLOADED __reads_from(const volatile SPACE void *);                \
    void __LOCKSTEP_OVERLOADED __writes_to(const volatile SPACE void *);                 \
    void __LOCKSTEP_OVERLOADED __requires_fresh_array(const volatile SPACE void *);
#ifndef __OPENCL__
void *__return_val_ptr(void);
#define __return_val_funptr(type) ((type)__return_val_ptr())
__LOCKSTEP_OF_POINTER()
void __array_snapshot(const volatile void *, const volatile void *);
#else
__LOCKSTEP_OF_POINTER(__global)
__LOCKSTEP_OF_POINTER(__local)
__LOCKSTEP_OF_POINTER(__constant)
__LOCKSTEP_OF_POINTER(__private)
#if defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200
__LOCKSTEP_OF_POINTER(__generic)
#endif
void __LOCKSTEP_OVERLOADED __array_snapshot(const volatile __global void *, const volatile __global void *);
void __LOCKSTEP_OVERLOADED __array_snapshot(const volatile __local void *, const volatile __local void *);
void __LOCKSTEP_OVERLOADED __array_snapshot(const volatile __local void *, const volatile __global void *);
void __LOCKSTEP_OVERLOADED __array_snapshot(const volatile __global void *, const volatile __local void *);
#endif
#define __no_read(p) (!__read(p))
#define __no_write(p) (!__write(p))
#define __read_implies(p, e) __implies(__read(p), e)
#define __write_implies(p, e) __implies(__write(p), e)
/* Reads for the sake of what is stated about the value: in Lockstep every load does. */
#define __read_permission(type, place) ((void)(type)(place))

/* --- Barriers: the fact, then the threads it is wanted for after the barrier (for the binary ones pairs of them) ------ */
void __barrier_invariant_1(bool, long);
void __barrier_invariant_2(bool, long, long);
void __barrier_invariant_3(bool, long, long, long);
void __barrier_invariant_4(bool, long, long, long, long);
void __barrier_invariant_5(bool, long, long, long, long, long);
void __barrier_invariant_6(bool, long, long, long, long, long, long);
void __barrier_invariant_7(bool, long, long, long, long, long, long, long);
void __barrier_invariant_8(bool, long, long, long, long, long, long, long, long);
void __barrier_invariant_9(bool, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_10(bool, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_11(bool, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_12(bool, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_13(bool, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_14(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_15(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_16(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_17(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_18(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_19(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_20(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_1(bool, long, long);
void __barrier_invariant_binary_2(bool, long, long, long, long);
void __barrier_invariant_binary_3(bool, long, long, long, long, long, long);
void __barrier_invariant_binary_4(bool, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_5(bool, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_6(bool, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_7(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_8(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_9(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_10(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_11(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_12(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_13(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_14(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_15(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_16(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_17(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_18(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_19(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);
void __barrier_invariant_binary_20(bool, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);

/* --- Arithmetic -------------------------------------------------------------------------------------------- */
char __add_noovfl_char(char, char);
unsigned char __add_noovfl_unsigned_char(unsigned char, unsigned char);
short __add_noovfl_short(short, short);
unsigned short __add_noovfl_unsigned_short(unsigned short, unsigned short);
int __add_noovfl_int(int, int);
unsigned int __add_noovfl_unsigned_int(unsigned int, unsigned int);
long __add_noovfl_long(long, long);
unsigned long __add_noovfl_unsigned_long(unsigned long, unsigned long);

#ifndef __OPENCL__
#pragma clang force_cuda_host_device end
#define __LOCKSTEP_KIND __attribute__((host, device))
#else
#define __LOCKSTEP_KIND
#endif

/* --- At file scope ------------------------------------------------------------------------------------------ */
/* By the name in the module they are told from functions of which less is known: even one that is `const` may depend on the
   thread that calls it. */
#define DECLARE_UF_UNARY(name, argument, result) \
    __LOCKSTEP_KIND result name(argument) __asm__("__uninterpreted_function_" #name)
#define DECLARE_UF_BINARY(name, first, second, result) \
    __LOCKSTEP_KIND result name(first, second) __asm__("__uninterpreted_function_" #name)
#define __axiom(e) __LOCKSTEP_DEFINED bool __LOCKSTEP_PASTE(__lockstep_axiom_, __COUNTER__)(void) { return e; }
