/* CUB: collective functions of blocks and warps, and functions for the host, declared only. A collective promises
   what CUB's documentation does and no more (docs/library-models.md): all threads of the block, or lanes of the warp,
   come to it; it orders nobody's memory; results that are undefined are anything, in each thread something else. */
#ifndef LOCKSTEP_CUB
#define LOCKSTEP_CUB
#pragma clang system_header

#include "lockstep/any.h"

__LOCKSTEP_DEVICE void __lockstep_refused_cub_BlockHistogram(), __lockstep_refused_cub_BlockMergeSort(), __lockstep_refused_cub_BlockRunLengthDecode(),
    __lockstep_refused_cub_logical_warp();

namespace cub {

#define __LOCKSTEP_OPERATION(NAME, ...)                                                                              \
    struct NAME {                                                                                                    \
        template <class T> __LOCKSTEP_OF_BOTH T operator()(const T &a, const T &b) const { return __VA_ARGS__; }     \
    };
__LOCKSTEP_OPERATION(Sum, a + b)
__LOCKSTEP_OPERATION(Difference, a - b)
__LOCKSTEP_OPERATION(Max, a < b ? b : a)
__LOCKSTEP_OPERATION(Min, b < a ? b : a)
#undef __LOCKSTEP_OPERATION
struct Equality {
    template <class T> __LOCKSTEP_OF_BOTH bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
    template <class T> __LOCKSTEP_OF_BOTH bool operator()(const T &a, const T &b) const { return a != b; }
};
template <class K, class V> struct KeyValuePair { K key; V value; };
struct ArgMax {
    template <class K, class V>
    __LOCKSTEP_OF_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class K, class V>
    __LOCKSTEP_OF_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier modifier, class T> __LOCKSTEP_INLINE T ThreadLoad(const T *from) {
    if constexpr (modifier == LOAD_LDG) return __lockstep_load_cached(from); else return *from;
}
template <CacheStoreModifier modifier, class T> __LOCKSTEP_INLINE void ThreadStore(T *to, T value) { *to = value; }

/* The thread's number in a block of this shape, and in one of any. */
template <int X, int Y, int Z> __LOCKSTEP_INLINE int __lockstep_thread() {
    return (Z == 1 ? 0 : threadIdx.z * X * Y) + (Y == 1 ? 0 : threadIdx.y * X) + threadIdx.x;
}
__LOCKSTEP_INLINE int RowMajorTid(int x, int y, int) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
__LOCKSTEP_INLINE int __lockstep_thread() { return RowMajorTid(blockDim.x, blockDim.y, blockDim.z); }
__LOCKSTEP_INLINE unsigned int LaneId() { return __nvvm_read_ptx_sreg_laneid() & (__LOCKSTEP_WARP_SIZE - 1); }
/* Unique among the warps, which is all that is documented. */
__LOCKSTEP_INLINE unsigned int WarpId() {
    return __lockstep_choice((unsigned int)__lockstep_thread() / __LOCKSTEP_WARP_SIZE);
}

/* What each thread holds: a sum, and the sums before. */
template <int items, class T, class F> __LOCKSTEP_INLINE T __lockstep_total(const T (&values)[items], F function) {
    T total = values[0];
#pragma unroll
    for (int item = 1; item < items; ++item) total = function(total, values[item]);
    return total;
}

/* --- Temporary storage ------------------------------------------------------------------------------------ */
/* A program knows of temporary storage that it has a size, and that nobody else may use it while a collective does: it
   "may be reused or repurposed" behind a barrier of the block, or of the warp, which the program has to make. So a
   collective computes in memory of its own, which no program can see and which its own barriers order
   (`__lockstep_library_barrier`, which orders nothing else), and with the storage it does the least that any
   implementation might: one thread, whichever the library likes, writes to it. Two calls between which there is no
   barrier may choose different threads, which then race, as does whoever else touches the storage; one call does not
   race with itself. The size is one that no implementation is below. */
template <int size, int alignment = 1> struct alignas(alignment) __lockstep_storage {
    unsigned char opaque[size];
};
/* The number of the thread which writes. In runs the second thread and the first one take turns, so that calls
   that follow each other are told apart. */
__LOCKSTEP_INLINE unsigned int __lockstep_user() { return __lockstep_choice(~__lockstep_choice() & 1); }
template <class S> __LOCKSTEP_INLINE void __lockstep_use_temporary_storage(S &storage, bool chosen, unsigned int by) {
    __lockstep_library_storage();
    if (chosen) __builtin_memset(storage.opaque, __lockstep_choice((unsigned char)by), sizeof(storage.opaque));
}

/* --- Blocks ----------------------------------------------------------------------------------------------- */
/* What the threads of a block exchange: so many values. All threads come to `exchange` and to `done`, behind which
   `values` may be written again. */
template <class T, int X, int Y, int Z, int count> struct __lockstep_block {
    static constexpr int threads = X * Y * Z;
    typedef __lockstep_storage<sizeof(T), alignof(T)> Storage;
    __LOCKSTEP_MEMBER static int thread() { return __lockstep_thread<X, Y, Z>(); }
    __LOCKSTEP_MEMBER static T *values() {
        __LOCKSTEP_HIDDEN unsigned char __lockstep_values[count * sizeof(T)] __attribute__((aligned(alignof(T))));
        return (T *)__lockstep_values;
    }
    __LOCKSTEP_MEMBER static T &common() {
        __LOCKSTEP_HIDDEN unsigned char __lockstep_total[sizeof(T)] __attribute__((aligned(alignof(T))));
        return *(T *)__lockstep_total;
    }
    __LOCKSTEP_MEMBER static unsigned int &user() {
        __LOCKSTEP_HIDDEN unsigned int __lockstep_user;
        return __lockstep_user;
    }
    /* What is written to `values` before, all threads may read behind it. */
    __LOCKSTEP_MEMBER static void exchange(Storage &storage) {
        int me = thread();
        if (me == 0) user() = __lockstep_user();
        __lockstep_library_barrier();
        __lockstep_use_temporary_storage(storage, me == user(), me);
    }
    __LOCKSTEP_MEMBER static void done() { __lockstep_library_barrier(); }
    /* What the first thread has, which all get. */
    __LOCKSTEP_MEMBER static T for_all(T value) {
        if (thread() == 0) common() = value;
        __lockstep_library_barrier();
        return common();
    }
    template <class F> __LOCKSTEP_MEMBER static T fold(T result, int from, int to, F function) {
        for (int other = from; other < to; ++other) result = function(result, values()[other]);
        return result;
    }
};

#define __LOCKSTEP_STORAGE                                                                                           \
    TempStorage &storage;                                                                                            \
    __LOCKSTEP_MEMBER static TempStorage &own() {                                                                    \
        __shared__ TempStorage storage;                                                                              \
        return storage;                                                                                              \
    }

/* Whether a function is one of which it is known that the order of what it is applied to does not matter. */
template <class F> struct __lockstep_commutes { static constexpr bool value = false; };
template <> struct __lockstep_commutes<Sum> { static constexpr bool value = true; };
template <> struct __lockstep_commutes<Max> { static constexpr bool value = true; };
template <> struct __lockstep_commutes<Min> { static constexpr bool value = true; };

template <class T, int X, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
    typedef __lockstep_block<T, X, Y, Z, X * Y * Z> Block;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockReduce() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockReduce(TempStorage &storage) : storage(storage) {}

    /* The result is the first thread's: "the return value is undefined in threads other than thread0". */
    template <class F> __LOCKSTEP_MEMBER T Reduce(T value, F function, int valid = Block::threads) {
        int thread = Block::thread();
        Block::values()[thread] = value;
        Block::exchange(storage);
        /* One of the algorithms is for functions only that commute. */
        constexpr bool ordered = algorithm != BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY || __lockstep_commutes<F>::value;
        if (thread == 0 && valid > 0) {
            value = __lockstep_rounded(Block::fold(value, 1, valid, function));
            if (!ordered) value = __lockstep_chosen(value);
        } else {
            __lockstep_undefine(value);
        }
        Block::done();
        return value;
    }
    template <int items, class F> __LOCKSTEP_MEMBER T Reduce(T (&values)[items], F function) {
        return Reduce(__lockstep_total(values, function), function);
    }
    __LOCKSTEP_MEMBER T Sum(T value) { return Reduce(value, cub::Sum()); }
    __LOCKSTEP_MEMBER T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
    template <int items> __LOCKSTEP_MEMBER T Sum(T (&values)[items]) { return Reduce(values, cub::Sum()); }

private:
    __LOCKSTEP_STORAGE
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan {
    typedef __lockstep_block<T, X, Y, Z, X * Y * Z> Block;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockScan() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockScan(TempStorage &storage) : storage(storage) {}

    /* Where there is an aggregate, it is every thread's, the same for all. */
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function) {
        result = inclusive(give(value), function);
        Block::done();
    }
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function, T &all) {
        result = inclusive(give(value), function);
        all = total(function);
        Block::done();
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function) {
        result = __lockstep_rounded(Block::fold(initial, 0, give(value), function));
        Block::done();
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function, T &all) {
        result = __lockstep_rounded(Block::fold(initial, 0, give(value), function));
        all = total(function);
        Block::done();
    }
    /* "With no initial value, the output computed for thread0 is undefined." */
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, F function) {
        result = exclusive(give(value), function);
        Block::done();
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, F function, T &all) {
        result = exclusive(give(value), function);
        all = total(function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void InclusiveScan(T (&values)[items], T (&results)[items], F function) {
        inclusive(give(__lockstep_total(values, function)), values, results, function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void InclusiveScan(T (&values)[items], T (&results)[items], F function, T &all) {
        inclusive(give(__lockstep_total(values, function)), values, results, function);
        all = total(function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, F function) {
        int thread = give(__lockstep_total(values, function));
        exclusive(values, results, Block::fold(initial, 0, thread, function), function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, F function, T &all) {
        int thread = give(__lockstep_total(values, function));
        exclusive(values, results, Block::fold(initial, 0, thread, function), function);
        all = total(function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], F function) {
        exclusive(give(__lockstep_total(values, function)), values, results, function);
        Block::done();
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], F function, T &all) {
        exclusive(give(__lockstep_total(values, function)), values, results, function);
        all = total(function);
        Block::done();
    }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result, T &all) {
        ExclusiveScan(value, result, T(), cub::Sum(), all);
    }
    template <int items> __LOCKSTEP_MEMBER void InclusiveSum(T (&values)[items], T (&results)[items]) {
        InclusiveScan(values, results, cub::Sum());
    }
    template <int items> __LOCKSTEP_MEMBER void InclusiveSum(T (&values)[items], T (&results)[items], T &all) {
        InclusiveScan(values, results, cub::Sum(), all);
    }
    template <int items> __LOCKSTEP_MEMBER void ExclusiveSum(T (&values)[items], T (&results)[items]) {
        ExclusiveScan(values, results, T(), cub::Sum());
    }
    template <int items> __LOCKSTEP_MEMBER void ExclusiveSum(T (&values)[items], T (&results)[items], T &all) {
        ExclusiveScan(values, results, T(), cub::Sum(), all);
    }

private:
    __LOCKSTEP_MEMBER int give(T value) {
        int thread = Block::thread();
        Block::values()[thread] = value;
        Block::exchange(storage);
        return thread;
    }
    template <class F> __LOCKSTEP_MEMBER static T inclusive(int thread, F function) {
        return __lockstep_rounded(Block::fold(Block::values()[0], 1, thread + 1, function));
    }
    template <class F> __LOCKSTEP_MEMBER static T exclusive(int thread, F function) {
        T result = __lockstep_rounded(before(thread, function));
        if (thread == 0) __lockstep_undefine(result);
        return result;
    }
    template <class F> __LOCKSTEP_MEMBER static T before(int thread, F function) {
        return Block::fold(Block::values()[0], 1, thread, function);
    }
    template <class F> __LOCKSTEP_MEMBER static T total(F function) {
        T all = Block::fold(Block::values()[0], 1, Block::threads, function);
        if constexpr (!__is_integral(T)) all = Block::for_all(__lockstep_rounded(all));
        return all;
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER static void inclusive(int thread, T (&values)[items], T (&results)[items], F function) {
        T running = thread == 0 ? values[0] : (T)function(before(thread, function), values[0]);
        results[0] = __lockstep_rounded(running);
#pragma unroll
        for (int item = 1; item < items; ++item) {
            running = function(running, values[item]);
            results[item] = __lockstep_rounded(running);
        }
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER static void exclusive(T (&values)[items], T (&results)[items], T running, F function) {
#pragma unroll
        for (int item = 0; item < items; ++item) {
            T value = values[item];
            results[item] = __lockstep_rounded(running);
            running = function(running, value);
        }
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER static void exclusive(int thread, T (&values)[items], T (&results)[items], F function) {
        T first = values[0];
        results[0] = exclusive(thread, function);
        T running = thread == 0 ? first : (T)function(before(thread, function), first);
#pragma unroll
        for (int item = 1; item < items; ++item) {
            T value = values[item];
            results[item] = __lockstep_rounded(running);
            running = function(running, value);
        }
    }
    __LOCKSTEP_STORAGE
};

/* The places of a thread's items where the threads of a block, or of a warp of it, take turns. */
template <int X, int items, int Y, int Z> struct __lockstep_places {
    static constexpr int threads = X * Y * Z;
    __LOCKSTEP_MEMBER static int blocked(int item) { return __lockstep_thread<X, Y, Z>() * items + item; }
    __LOCKSTEP_MEMBER static int striped(int item) { return item * threads + __lockstep_thread<X, Y, Z>(); }
    __LOCKSTEP_MEMBER static int by_warps(int item) {
        int thread = __lockstep_thread<X, Y, Z>();
        int lane = thread & (__LOCKSTEP_WARP_SIZE - 1);
        return (thread - lane) * items + item * __LOCKSTEP_WARP_SIZE + lane;
    }
};

/* Which thread accesses which element of memory the algorithm's documentation says. Whether its threads wait for each
   other it does not say, so that nobody's accesses are ordered by it. */
template <class T, int X, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
    typedef __lockstep_block<T, X, Y, Z, X * Y * Z * items> Block;
    typedef __lockstep_places<X, items, Y, Z> places;
    static constexpr int mode = algorithm <= BLOCK_LOAD_TRANSPOSE ? algorithm : BLOCK_LOAD_WARP_TRANSPOSE;
    static constexpr bool exchanges = mode >= BLOCK_LOAD_TRANSPOSE;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockLoad() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockLoad(TempStorage &storage) : storage(storage) {}

    template <class I> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items]) {
#pragma unroll
        for (int item = 0; item < items; ++item) to[item] = from[place(item)];
        exchange(to);
    }
    /* Items beyond the last valid one are not assigned. */
    template <class I> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items], int valid) {
#pragma unroll
        for (int item = 0; item < items; ++item) {
            if (place(item) < valid) to[item] = from[place(item)]; else __lockstep_undefine(to[item]);
        }
        exchange(to);
    }
    template <class I, class D> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items], int valid, D otherwise) {
#pragma unroll
        for (int item = 0; item < items; ++item) {
            if (place(item) < valid) to[item] = from[place(item)]; else to[item] = otherwise;
        }
        exchange(to);
    }

private:
    __LOCKSTEP_MEMBER static int place(int item) {
        return mode == BLOCK_LOAD_WARP_TRANSPOSE                            ? places::by_warps(item)
               : mode == BLOCK_LOAD_STRIPED || mode == BLOCK_LOAD_TRANSPOSE ? places::striped(item)
                                                                            : places::blocked(item);
    }
    __LOCKSTEP_MEMBER void exchange(T (&to)[items]) {
        if constexpr (exchanges) {
#pragma unroll
            for (int item = 0; item < items; ++item) Block::values()[place(item)] = to[item];
            Block::exchange(storage);
#pragma unroll
            for (int item = 0; item < items; ++item) to[item] = Block::values()[places::blocked(item)];
            Block::done();
        }
    }
    __LOCKSTEP_STORAGE
};

template <class T, int X, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
    typedef __lockstep_block<T, X, Y, Z, X * Y * Z * items> Block;
    typedef __lockstep_places<X, items, Y, Z> places;
    static constexpr int mode = algorithm <= BLOCK_STORE_TRANSPOSE ? algorithm : BLOCK_STORE_WARP_TRANSPOSE;
    static constexpr bool exchanges = mode >= BLOCK_STORE_TRANSPOSE;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockStore() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockStore(TempStorage &storage) : storage(storage) {}

    template <class I> __LOCKSTEP_MEMBER void Store(I to, T (&from)[items]) { Store(to, from, X * Y * Z * items); }
    /* The items are passed by reference, and nothing says that they are left as they are. */
    template <class I> __LOCKSTEP_MEMBER void Store(I to, T (&from)[items], int valid) {
        exchange(from);
#pragma unroll
        for (int item = 0; item < items; ++item) {
            if (place(item) < valid) to[place(item)] = from[item];
            if constexpr (exchanges) __lockstep_undefine(from[item]);
        }
    }

private:
    __LOCKSTEP_MEMBER static int place(int item) {
        return mode == BLOCK_STORE_WARP_TRANSPOSE                             ? places::by_warps(item)
               : mode == BLOCK_STORE_STRIPED || mode == BLOCK_STORE_TRANSPOSE ? places::striped(item)
                                                                              : places::blocked(item);
    }
    __LOCKSTEP_MEMBER void exchange(T (&values)[items]) {
        if constexpr (exchanges) {
#pragma unroll
            for (int item = 0; item < items; ++item) Block::values()[places::blocked(item)] = values[item];
            Block::exchange(storage);
#pragma unroll
            for (int item = 0; item < items; ++item) values[item] = Block::values()[place(item)];
            Block::done();
        }
    }
    __LOCKSTEP_STORAGE
};

template <class T, int X, int items, bool = false, int Y = 1, int Z = 1, int = 0> class BlockExchange {
    typedef __lockstep_block<T, X, Y, Z, X * Y * Z * items> Block;
    typedef __lockstep_places<X, items, Y, Z> places;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockExchange() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockExchange(TempStorage &storage) : storage(storage) {}
#define __LOCKSTEP_EXCHANGED(NAME, FROM, TO)                                                                         \
    template <class O> __LOCKSTEP_MEMBER void NAME(const T (&from)[items], O (&to)[items]) {                         \
        T values[items];                                                                                             \
        _Pragma("unroll") for (int item = 0; item < items; ++item) values[item] = from[item];                        \
        _Pragma("unroll") for (int item = 0; item < items; ++item) Block::values()[places::FROM(item)] = values[item];\
        Block::exchange(storage);                                                                                    \
        _Pragma("unroll") for (int item = 0; item < items; ++item) to[item] = Block::values()[places::TO(item)];     \
        Block::done();                                                                                               \
    }                                                                                                                \
    __LOCKSTEP_MEMBER void NAME(T (&values)[items]) { NAME(values, values); }
    __LOCKSTEP_EXCHANGED(BlockedToStriped, blocked, striped)
    __LOCKSTEP_EXCHANGED(StripedToBlocked, striped, blocked)
    __LOCKSTEP_EXCHANGED(BlockedToWarpStriped, blocked, by_warps)
    __LOCKSTEP_EXCHANGED(WarpStripedToBlocked, by_warps, blocked)
#undef __LOCKSTEP_EXCHANGED

private:
    __LOCKSTEP_STORAGE
};

#define __LOCKSTEP_REFUSED(NAME, METHOD)                                                                             \
    template <class... A> __LOCKSTEP_MEMBER void METHOD(A &&...) { __lockstep_refused_cub_##NAME(); }
#define __LOCKSTEP_WITHOUT_STORAGE(NAME)                                                                             \
    struct TempStorage {};                                                                                           \
    __LOCKSTEP_MEMBER NAME() {}                                                                                      \
    __LOCKSTEP_MEMBER NAME(TempStorage &) {}
/* A value of which nothing is known, and which differs between threads. */
template <class T> __LOCKSTEP_INLINE void __lockstep_forget(T &value) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned int all[words];
#pragma unroll
    for (int index = 0; index < words; ++index) all[index] = __lockstep_any();
    __builtin_memcpy((void *)&value, all, sizeof(T));
}
template <class... > struct __lockstep_none;
/* Which of the keys a thread gets depends on all of them: nothing is said of it. */
template <class K, int X, int items, class V = __lockstep_none<>, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1>
class BlockRadixSort {
    typedef __lockstep_block<K, X, Y, Z, X * Y * Z> Block;

public:
    struct TempStorage : Block::Storage {};
    __LOCKSTEP_MEMBER BlockRadixSort() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockRadixSort(TempStorage &storage) : storage(storage) {}
#define __LOCKSTEP_SORT(NAME)                                                                                        \
    __LOCKSTEP_MEMBER void NAME(K (&keys)[items], int = 0, int = sizeof(K) * 8) {                                    \
        Block::exchange(storage);                                                                                    \
        _Pragma("unroll") for (int item = 0; item < items; ++item) __lockstep_forget(keys[item]);                    \
        Block::done();                                                                                               \
    }                                                                                                                \
    template <class U>                                                                                               \
    __LOCKSTEP_MEMBER void NAME(K (&keys)[items], U (&values)[items], int from = 0, int to = sizeof(K) * 8) {        \
        static_assert(__is_same(U, V), "the values are of another type");                                            \
        NAME(keys, from, to);                                                                                        \
        _Pragma("unroll") for (int item = 0; item < items; ++item) __lockstep_forget(values[item]);                  \
    }
    __LOCKSTEP_SORT(Sort)
    __LOCKSTEP_SORT(SortDescending)
    __LOCKSTEP_SORT(SortBlockedToStriped)
    __LOCKSTEP_SORT(SortDescendingBlockedToStriped)
#undef __LOCKSTEP_SORT

private:
    __LOCKSTEP_STORAGE
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int items, int bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1>
struct BlockHistogram {
    __LOCKSTEP_WITHOUT_STORAGE(BlockHistogram)
    __LOCKSTEP_REFUSED(BlockHistogram, InitHistogram)
    __LOCKSTEP_REFUSED(BlockHistogram, Histogram)
    __LOCKSTEP_REFUSED(BlockHistogram, Composite)
};

/* --- Warps ------------------------------------------------------------------------------------------------ */
/* The lanes of the part of a warp of so many threads that this one belongs to. */
template <int size> __LOCKSTEP_INLINE __lockstep_mask __lockstep_lanes() {
    constexpr int room = 8 * sizeof(__lockstep_mask);
    constexpr __lockstep_mask all = ~(__lockstep_mask)0;
    return size == room ? all : (all >> (-size & (room - 1))) << (LaneId() & ~(size - 1));
}
/* Lanes of a warp exchange the words that values consist of, which orders no memory. What a lane has that is not one of
   these is not its partner's: nothing is said of it. */
template <class T, int size> struct __lockstep_warp {
    typedef __lockstep_storage<1> Storage;
    static constexpr int words = (sizeof(T) + 3) / 4;
    __LOCKSTEP_MEMBER static int lane() { return LaneId() & (size - 1); }
    __LOCKSTEP_MEMBER static __lockstep_mask mask() { return __lockstep_lanes<size>(); }
    __LOCKSTEP_MEMBER static void use(Storage &storage) {
        if constexpr ((size & (size - 1)) != 0) __lockstep_refused_cub_logical_warp();
        unsigned int user = __shfl_sync(mask(), __lockstep_user(), 0, size);
        __lockstep_use_temporary_storage(storage, lane() == user, threadIdx.x);
    }
    __LOCKSTEP_MEMBER static T from(T value, int other) {
        int source = other < 0 || other >= size ? lane() : other;
        if constexpr (__is_arithmetic(T)) {
            return (T)__shfl_sync(mask(), value, source, size);
        } else {
            unsigned int all[words] = {};
            __builtin_memcpy(all, (void *)&value, sizeof(T));
#pragma unroll
            for (int word = 0; word < words; ++word) all[word] = __shfl_sync(mask(), all[word], source, size);
            __builtin_memcpy((void *)&value, all, sizeof(T));
            return value;
        }
    }
};

template <class T, int size = __LOCKSTEP_WARP_SIZE, int = 0> class WarpReduce {
    typedef __lockstep_warp<T, size> Warp;
    template <int distance, class F> __LOCKSTEP_MEMBER T step(T value, F function, int valid) {
        if constexpr (distance < size) {
            int other = Warp::lane() + distance;
            T theirs = Warp::from(value, other);
            T next = other < valid ? (T)function(value, theirs) : value;
            return step<2 * distance>(next, function, valid);
        }
        return value;
    }

public:
    struct TempStorage : Warp::Storage {};
    __LOCKSTEP_MEMBER WarpReduce(TempStorage &storage) : storage(storage) {}
    /* The result is the first lane's: "undefined in warp lanes other than lane0". */
    template <class F> __LOCKSTEP_MEMBER T Reduce(T value, F function, int valid = size) {
        Warp::use(storage);
        value = step<1>(value, function, valid);
        if (Warp::lane() == 0) value = __lockstep_rounded(value); else __lockstep_undefine(value);
        return value;
    }
    __LOCKSTEP_MEMBER T Sum(T value, int valid = size) { return Reduce(value, cub::Sum(), valid); }

private:
    TempStorage &storage;
};

template <class T, int size = __LOCKSTEP_WARP_SIZE, int = 0> class WarpScan {
    typedef __lockstep_warp<T, size> Warp;
    template <int distance, class F> __LOCKSTEP_MEMBER T step(T value, F function) {
        if constexpr (distance < size) {
            int other = Warp::lane() - distance;
            T theirs = Warp::from(value, other);
            T next = other >= 0 ? (T)function(theirs, value) : value;
            return step<2 * distance>(next, function);
        }
        return value;
    }
    template <class F> __LOCKSTEP_MEMBER T scan(T value, F function) {
        Warp::use(storage);
        return step<1>(value, function);
    }
    /* The aggregate is every lane's, the same for all. */
    __LOCKSTEP_MEMBER T total(T inclusive) { return Warp::from(__lockstep_rounded(inclusive), size - 1); }
    template <class F> __LOCKSTEP_MEMBER T behind(T inclusive, T initial, F function) {
        T before = Warp::from(inclusive, Warp::lane() - 1);
        return Warp::lane() == 0 ? initial : __lockstep_rounded((T)function(initial, before));
    }
    /* Without an initial value the first lane's result is undefined. */
    __LOCKSTEP_MEMBER T behind(T inclusive) {
        T before = __lockstep_rounded(Warp::from(inclusive, Warp::lane() - 1));
        if (Warp::lane() == 0) __lockstep_undefine(before);
        return before;
    }

public:
    struct TempStorage : Warp::Storage {};
    __LOCKSTEP_MEMBER WarpScan(TempStorage &storage) : storage(storage) {}
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function) {
        result = __lockstep_rounded(scan(value, function));
    }
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function, T &all) {
        T inclusive = scan(value, function);
        result = __lockstep_rounded(inclusive);
        all = total(inclusive);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, F function) {
        result = behind(scan(value, function));
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, F function, T &all) {
        T inclusive = scan(value, function);
        result = behind(inclusive);
        all = total(inclusive);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function) {
        result = behind(scan(value, function), initial, function);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function, T &all) {
        T inclusive = scan(value, function);
        result = behind(inclusive, initial, function);
        all = total(inclusive);
    }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result, T &all) {
        ExclusiveScan(value, result, T(), cub::Sum(), all);
    }
    /* What there is of a lane that the warp does not have is not documented. */
    __LOCKSTEP_MEMBER T Broadcast(T value, unsigned int lane) {
        Warp::use(storage);
        value = Warp::from(value, lane);
        if (lane >= size) __lockstep_undefine(value);
        return value;
    }

private:
    TempStorage &storage;
};

/* --- The host --------------------------------------------------------------------------------------------- */
#define __LOCKSTEP_HOSTED(NAME) template <class... A> static cudaError_t NAME(A &&...);
struct DeviceReduce {
    __LOCKSTEP_HOSTED(Reduce)
    __LOCKSTEP_HOSTED(Sum)
    __LOCKSTEP_HOSTED(Min)
    __LOCKSTEP_HOSTED(Max)
    __LOCKSTEP_HOSTED(ArgMin)
    __LOCKSTEP_HOSTED(ArgMax)
    __LOCKSTEP_HOSTED(ReduceByKey)
    __LOCKSTEP_HOSTED(TransformReduce)
};
struct DeviceScan {
    __LOCKSTEP_HOSTED(InclusiveSum)
    __LOCKSTEP_HOSTED(ExclusiveSum)
    __LOCKSTEP_HOSTED(InclusiveScan)
    __LOCKSTEP_HOSTED(ExclusiveScan)
    __LOCKSTEP_HOSTED(InclusiveSumByKey)
    __LOCKSTEP_HOSTED(ExclusiveSumByKey)
};
struct DeviceRadixSort {
    __LOCKSTEP_HOSTED(SortKeys)
    __LOCKSTEP_HOSTED(SortPairs)
    __LOCKSTEP_HOSTED(SortKeysDescending)
    __LOCKSTEP_HOSTED(SortPairsDescending)
};
struct DeviceMergeSort {
    __LOCKSTEP_HOSTED(SortKeys)
    __LOCKSTEP_HOSTED(SortPairs)
    __LOCKSTEP_HOSTED(StableSortKeys)
};
struct DeviceSegmentedReduce {
    __LOCKSTEP_HOSTED(Reduce)
    __LOCKSTEP_HOSTED(Sum)
    __LOCKSTEP_HOSTED(Min)
    __LOCKSTEP_HOSTED(Max)
    __LOCKSTEP_HOSTED(ArgMin)
    __LOCKSTEP_HOSTED(ArgMax)
};
struct DeviceSegmentedRadixSort {
    __LOCKSTEP_HOSTED(SortKeys)
    __LOCKSTEP_HOSTED(SortPairs)
    __LOCKSTEP_HOSTED(SortKeysDescending)
    __LOCKSTEP_HOSTED(SortPairsDescending)
};
struct DeviceSelect {
    __LOCKSTEP_HOSTED(Flagged)
    __LOCKSTEP_HOSTED(If)
    __LOCKSTEP_HOSTED(Unique)
    __LOCKSTEP_HOSTED(UniqueByKey)
};
struct DevicePartition {
    __LOCKSTEP_HOSTED(Flagged)
    __LOCKSTEP_HOSTED(If)
};
struct DeviceHistogram {
    __LOCKSTEP_HOSTED(HistogramEven)
    __LOCKSTEP_HOSTED(HistogramRange)
    __LOCKSTEP_HOSTED(MultiHistogramEven)
};
struct DeviceRunLengthEncode {
    __LOCKSTEP_HOSTED(Encode)
    __LOCKSTEP_HOSTED(NonTrivialRuns)
};
#undef __LOCKSTEP_HOSTED

template <class T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    DoubleBuffer(T *current = nullptr, T *alternate = nullptr) : d_buffers{current, alternate}, selector(0) {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};
struct CachingDeviceAllocator {
    template <class... A> CachingDeviceAllocator(A &&...) {}
    template <class... A> cudaError_t DeviceAllocate(A &&...);
    template <class... A> cudaError_t DeviceFree(A &&...);
};
template <class T> struct CountingInputIterator {
    T value;
    __LOCKSTEP_OF_BOTH CountingInputIterator(T value) : value(value) {}
    __LOCKSTEP_OF_BOTH T operator*() const { return value; }
    template <class N> __LOCKSTEP_OF_BOTH T operator[](N index) const { return value + (T)index; }
    template <class N> __LOCKSTEP_OF_BOTH CountingInputIterator operator+(N index) const { return value + (T)index; }
};
template <class T> struct ConstantInputIterator {
    T value;
    __LOCKSTEP_OF_BOTH ConstantInputIterator(T value) : value(value) {}
    __LOCKSTEP_OF_BOTH T operator*() const { return value; }
    template <class N> __LOCKSTEP_OF_BOTH T operator[](N) const { return value; }
    template <class N> __LOCKSTEP_OF_BOTH ConstantInputIterator operator+(N) const { return *this; }
};
template <class T, class F, class I> struct TransformInputIterator {
    I from;
    F function;
    __LOCKSTEP_OF_BOTH TransformInputIterator(I from, F function) : from(from), function(function) {}
    __LOCKSTEP_OF_BOTH T operator*() const { return function(*from); }
    template <class N> __LOCKSTEP_OF_BOTH T operator[](N index) const { return function(from[index]); }
    template <class N> __LOCKSTEP_OF_BOTH TransformInputIterator operator+(N index) const {
        return {from + index, function};
    }
};

#undef __LOCKSTEP_STORAGE
#undef __LOCKSTEP_REFUSED
#undef __LOCKSTEP_WITHOUT_STORAGE

} // namespace cub

#define CubDebugExit(result) ((void)(result))
#define CubDebug(result) (result)

#endif
