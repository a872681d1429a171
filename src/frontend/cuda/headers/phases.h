/* Barriers in shared memory, for the libraries that have them. */
#ifndef LOCKSTEP_PHASES
#define LOCKSTEP_PHASES
#pragma clang system_header

/* Sets the number of arrivals that complete a phase. */
__LOCKSTEP_ANYWHERE void __lockstep_mbarrier_init(void *, ptrdiff_t count);
/* Arrives so many times. The token is for the phase. */
__LOCKSTEP_ANYWHERE unsigned long long __lockstep_mbarrier_arrive(void *, ptrdiff_t count);
/* Waits for the token's phase, or asks whether it is complete. */
__LOCKSTEP_ANYWHERE void __lockstep_mbarrier_wait(const void *, unsigned long long token);
__LOCKSTEP_ANYWHERE bool __lockstep_mbarrier_test(const void *, unsigned long long token);
/* The same for the phase of this parity: the current one, or the one before it. */
__LOCKSTEP_ANYWHERE void __lockstep_mbarrier_wait_parity(const void *, unsigned parity);
__LOCKSTEP_ANYWHERE bool __lockstep_mbarrier_test_parity(const void *, unsigned parity);

#endif
