/* Values of which nothing is known. */
#ifndef LOCKSTEP_ANY
#define LOCKSTEP_ANY
#pragma clang system_header

__LOCKSTEP_ANYWHERE unsigned int __lockstep_any();
template <class T> struct __lockstep_any_as {
    __LOCKSTEP_OF_BOTH static T value() { return (T)((unsigned long long)__lockstep_any() << 32 | __lockstep_any()); }
};
template <> struct __lockstep_any_as<float> {
    __LOCKSTEP_OF_BOTH static float value() { return __builtin_bit_cast(float, __lockstep_any()); }
};
template <> struct __lockstep_any_as<double> {
    __LOCKSTEP_OF_BOTH static double value() {
        return __builtin_bit_cast(double, __lockstep_any_as<unsigned long long>::value());
    }
};

#endif
