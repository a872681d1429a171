/* Code for some targets only, chosen by the preprocessor: what a condition does not hold for is never compiled. */
#ifndef LOCKSTEP_NV_TARGET
#define LOCKSTEP_NV_TARGET
#pragma clang system_header

#ifdef __CUDA_ARCH__
#define NV_IS_DEVICE 1
#define NV_IS_HOST 0
#define __LOCKSTEP_ARCHITECTURE __CUDA_ARCH__
#else
#define NV_IS_DEVICE 0
#define NV_IS_HOST 1
#define __LOCKSTEP_ARCHITECTURE 0
#endif
#define NV_ANY_TARGET 1
#define NV_NO_TARGET 0
#if __LOCKSTEP_ARCHITECTURE >= 350
#define NV_PROVIDES_SM_35 1
#else
#define NV_PROVIDES_SM_35 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 350
#define NV_IS_EXACTLY_SM_35 1
#else
#define NV_IS_EXACTLY_SM_35 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 370
#define NV_PROVIDES_SM_37 1
#else
#define NV_PROVIDES_SM_37 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 370
#define NV_IS_EXACTLY_SM_37 1
#else
#define NV_IS_EXACTLY_SM_37 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 500
#define NV_PROVIDES_SM_50 1
#else
#define NV_PROVIDES_SM_50 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 500
#define NV_IS_EXACTLY_SM_50 1
#else
#define NV_IS_EXACTLY_SM_50 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 520
#define NV_PROVIDES_SM_52 1
#else
#define NV_PROVIDES_SM_52 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 520
#define NV_IS_EXACTLY_SM_52 1
#else
#define NV_IS_EXACTLY_SM_52 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 530
#define NV_PROVIDES_SM_53 1
#else
#define NV_PROVIDES_SM_53 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 530
#define NV_IS_EXACTLY_SM_53 1
#else
#define NV_IS_EXACTLY_SM_53 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 600
#define NV_PROVIDES_SM_60 1
#else
#define NV_PROVIDES_SM_60 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 600
#define NV_IS_EXACTLY_SM_60 1
#else
#define NV_IS_EXACTLY_SM_60 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 610
#define NV_PROVIDES_SM_61 1
#else
#define NV_PROVIDES_SM_61 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 610
#define NV_IS_EXACTLY_SM_61 1
#else
#define NV_IS_EXACTLY_SM_61 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 620
#define NV_PROVIDES_SM_62 1
#else
#define NV_PROVIDES_SM_62 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 620
#define NV_IS_EXACTLY_SM_62 1
#else
#define NV_IS_EXACTLY_SM_62 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 700
#define NV_PROVIDES_SM_70 1
#else
#define NV_PROVIDES_SM_70 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 700
#define NV_IS_EXACTLY_SM_70 1
#else
#define NV_IS_EXACTLY_SM_70 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 720
#define NV_PROVIDES_SM_72 1
#else
#define NV_PROVIDES_SM_72 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 720
#define NV_IS_EXACTLY_SM_72 1
#else
#define NV_IS_EXACTLY_SM_72 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 750
#define NV_PROVIDES_SM_75 1
#else
#define NV_PROVIDES_SM_75 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 750
#define NV_IS_EXACTLY_SM_75 1
#else
#define NV_IS_EXACTLY_SM_75 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 800
#define NV_PROVIDES_SM_80 1
#else
#define NV_PROVIDES_SM_80 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 800
#define NV_IS_EXACTLY_SM_80 1
#else
#define NV_IS_EXACTLY_SM_80 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 860
#define NV_PROVIDES_SM_86 1
#else
#define NV_PROVIDES_SM_86 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 860
#define NV_IS_EXACTLY_SM_86 1
#else
#define NV_IS_EXACTLY_SM_86 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 870
#define NV_PROVIDES_SM_87 1
#else
#define NV_PROVIDES_SM_87 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 870
#define NV_IS_EXACTLY_SM_87 1
#else
#define NV_IS_EXACTLY_SM_87 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 890
#define NV_PROVIDES_SM_89 1
#else
#define NV_PROVIDES_SM_89 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 890
#define NV_IS_EXACTLY_SM_89 1
#else
#define NV_IS_EXACTLY_SM_89 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 900
#define NV_PROVIDES_SM_90 1
#else
#define NV_PROVIDES_SM_90 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 900
#define NV_IS_EXACTLY_SM_90 1
#else
#define NV_IS_EXACTLY_SM_90 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 1000
#define NV_PROVIDES_SM_100 1
#else
#define NV_PROVIDES_SM_100 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 1000
#define NV_IS_EXACTLY_SM_100 1
#else
#define NV_IS_EXACTLY_SM_100 0
#endif
#if __LOCKSTEP_ARCHITECTURE >= 1200
#define NV_PROVIDES_SM_120 1
#else
#define NV_PROVIDES_SM_120 0
#endif
#if __LOCKSTEP_ARCHITECTURE == 1200
#define NV_IS_EXACTLY_SM_120 1
#else
#define NV_IS_EXACTLY_SM_120 0
#endif
#define NV_HAS_FEATURE_SM_90a 0
#define NV_HAS_FEATURE_SM_100a 0
#undef __LOCKSTEP_ARCHITECTURE

#define __LOCKSTEP_BARE(...) __VA_ARGS__
#define __LOCKSTEP_JOIN_(a, b) a##b
#define __LOCKSTEP_JOIN(a, b) __LOCKSTEP_JOIN_(a, b)
#define __LOCKSTEP_WHEN_1(then, ...) __LOCKSTEP_BARE then
#define __LOCKSTEP_WHEN_0(then, ...) __VA_ARGS__
#define __LOCKSTEP_WHEN(condition, then, ...) __LOCKSTEP_JOIN(__LOCKSTEP_WHEN_, condition)(then, __VA_ARGS__)
#define NV_IF_TARGET(...) NV_DISPATCH_TARGET(__VA_ARGS__, NV_ANY_TARGET, ())
#define NV_IF_ELSE_TARGET(condition, then, otherwise) NV_DISPATCH_TARGET(condition, then, NV_ANY_TARGET, otherwise)

/* The first of the pairs whose condition holds: eight at most, and more do not compile. */
#define NV_DISPATCH_TARGET(...)                                                                                      \
    __LOCKSTEP_TARGET_8(__VA_ARGS__, 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), 0, (), 0, ())
#define __LOCKSTEP_TARGET_8(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_7(__VA_ARGS__))
#define __LOCKSTEP_TARGET_7(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_6(__VA_ARGS__))
#define __LOCKSTEP_TARGET_6(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_5(__VA_ARGS__))
#define __LOCKSTEP_TARGET_5(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_4(__VA_ARGS__))
#define __LOCKSTEP_TARGET_4(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_3(__VA_ARGS__))
#define __LOCKSTEP_TARGET_3(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_2(__VA_ARGS__))
#define __LOCKSTEP_TARGET_2(condition, then, ...) __LOCKSTEP_WHEN(condition, then, __LOCKSTEP_TARGET_1(__VA_ARGS__))
#define __LOCKSTEP_TARGET_1(condition, then, ...) __LOCKSTEP_WHEN(condition, then, )

#endif
