/* Copies that go on beside the thread that starts them, for the libraries that have them. */
#ifndef LOCKSTEP_COPIES
#define LOCKSTEP_COPIES
#pragma clang system_header

/* A copy of so many bytes, from and to addresses of such an alignment. */
__LOCKSTEP_ANYWHERE void __lockstep_copy_async(void *, const void *, size_t bytes, size_t alignment);
/* The same by all threads of the block together. Which of them copies which part is not said. */
__LOCKSTEP_ANYWHERE void __lockstep_share_copy_async(void *, const void *, size_t bytes, size_t alignment);
/* Closes the thread's batch of copies, and waits for all closed batches but so many of the latest. */
__LOCKSTEP_ANYWHERE void __lockstep_commit_async();
__LOCKSTEP_ANYWHERE void __lockstep_wait_async(size_t later);

/* The alignment that the type of what is copied and that of the size promise, as far as a copy makes use of it. */
template <class T> struct __lockstep_align_of { static constexpr size_t value = alignof(T); };
template <> struct __lockstep_align_of<void> { static constexpr size_t value = 1; };
template <class S> struct __lockstep_align_by { static constexpr size_t value = 1; };
template <template <size_t> class S, size_t Alignment> struct __lockstep_align_by<S<Alignment>> {
    static constexpr size_t value = Alignment;
};
template <class T, class S> struct __lockstep_aligned {
    static constexpr size_t type = __lockstep_align_of<T>::value, size = __lockstep_align_by<S>::value;
    static constexpr size_t both = type > size ? type : size;
    static constexpr size_t value = both < 16 ? both : 16;
};

#endif
