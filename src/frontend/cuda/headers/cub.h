/* CUB: collective functions of blocks and warps that do their work in the simplest way that is free of races, and
   functions for the host, declared only. */
#ifndef LOCKSTEP_CUB
#define LOCKSTEP_CUB
#pragma clang system_header

__LOCKSTEP_DEVICE void __lockstep_refused_cub_BlockRadixSort(), __lockstep_refused_cub_BlockHistogram(),
    __lockstep_refused_cub_BlockMergeSort(), __lockstep_refused_cub_BlockRunLengthDecode();

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
template <CacheLoadModifier modifier, class T> __LOCKSTEP_INLINE T ThreadLoad(const T *from) { return *from; }
template <CacheStoreModifier modifier, class T> __LOCKSTEP_INLINE void ThreadStore(T *to, T value) { *to = value; }

/* The thread's number in a block of this shape, and in one of any. */
template <int X, int Y, int Z> __LOCKSTEP_INLINE int __lockstep_thread() {
    return (Z == 1 ? 0 : threadIdx.z * X * Y) + (Y == 1 ? 0 : threadIdx.y * X) + threadIdx.x;
}
__LOCKSTEP_INLINE int RowMajorTid(int x, int y, int) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
__LOCKSTEP_INLINE int __lockstep_thread() { return RowMajorTid(blockDim.x, blockDim.y, blockDim.z); }
__LOCKSTEP_INLINE unsigned int LaneId() { return __nvvm_read_ptx_sreg_laneid() & (__LOCKSTEP_WARP_SIZE - 1); }
__LOCKSTEP_INLINE unsigned int WarpId() { return __lockstep_thread() / __LOCKSTEP_WARP_SIZE; }

/* What each thread holds: a sum, and the sums before. */
template <int items, class T, class F> __LOCKSTEP_INLINE T __lockstep_total(const T (&values)[items], F function) {
    T total = values[0];
#pragma unroll
    for (int item = 1; item < items; ++item) total = function(total, values[item]);
    return total;
}

#define __LOCKSTEP_STORAGE                                                                                           \
    TempStorage &storage;                                                                                            \
    __LOCKSTEP_MEMBER static TempStorage &own() {                                                                    \
        __shared__ TempStorage storage;                                                                              \
        return storage;                                                                                              \
    }

/* --- Blocks ----------------------------------------------------------------------------------------------- */
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage { T values[threads]; };
    __LOCKSTEP_MEMBER BlockReduce() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockReduce(TempStorage &storage) : storage(storage) {}

    /* The result is the first thread's. */
    template <class F> __LOCKSTEP_MEMBER T Reduce(T value, F function, int valid = threads) {
        int thread = __lockstep_thread<X, Y, Z>();
        storage.values[thread] = value;
        __syncthreads();
        if (thread == 0) {
            for (int other = 1; other < valid; ++other) value = function(value, storage.values[other]);
        }
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
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage { T values[threads]; };
    __LOCKSTEP_MEMBER BlockScan() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockScan(TempStorage &storage) : storage(storage) {}

    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function) {
        T all;
        InclusiveScan(value, result, function, all);
    }
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function, T &all) {
        int thread = give(value);
        result = fold(storage.values[0], 1, thread + 1, function);
        all = fold(storage.values[0], 1, threads, function);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function) {
        T all;
        ExclusiveScan(value, result, initial, function, all);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function, T &all) {
        int thread = give(value);
        result = fold(initial, 0, thread, function);
        all = fold(storage.values[0], 1, threads, function);
    }
    /* The first thread's result means nothing. */
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, F function) {
        int thread = give(value);
        result = fold(storage.values[0], 1, thread, function);
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void InclusiveScan(T (&values)[items], T (&results)[items], F function) {
        int thread = give(__lockstep_total(values, function));
        T before = thread == 0 ? values[0] : function(fold(storage.values[0], 1, thread, function), values[0]);
        spread(values, results, before, function);
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void InclusiveScan(T (&values)[items], T (&results)[items], F function, T &all) {
        InclusiveScan(values, results, function);
        all = fold(storage.values[0], 1, threads, function);
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, F function) {
        int thread = give(__lockstep_total(values, function));
        T running = fold(initial, 0, thread, function);
#pragma unroll
        for (int item = 0; item < items; ++item) {
            T value = values[item];
            results[item] = running;
            running = function(running, value);
        }
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, F function, T &all) {
        ExclusiveScan(values, results, initial, function);
        all = fold(storage.values[0], 1, threads, function);
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
        int thread = __lockstep_thread<X, Y, Z>();
        storage.values[thread] = value;
        __syncthreads();
        return thread;
    }
    template <class F> __LOCKSTEP_MEMBER T fold(T result, int from, int to, F function) {
        for (int other = from; other < to; ++other) result = function(result, storage.values[other]);
        return result;
    }
    template <int items, class F>
    __LOCKSTEP_MEMBER void spread(T (&values)[items], T (&results)[items], T running, F function) {
        results[0] = running;
#pragma unroll
        for (int item = 1; item < items; ++item) results[item] = running = function(running, values[item]);
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

template <class T, int X, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
    typedef __lockstep_places<X, items, Y, Z> places;
    static constexpr int mode = algorithm <= BLOCK_LOAD_TRANSPOSE ? algorithm : BLOCK_LOAD_WARP_TRANSPOSE;
    static constexpr bool exchanges = mode >= BLOCK_LOAD_TRANSPOSE;

public:
    struct TempStorage { T values[exchanges ? X * Y * Z * items : 1]; };
    __LOCKSTEP_MEMBER BlockLoad() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockLoad(TempStorage &storage) : storage(storage) {}

    template <class I> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items]) {
#pragma unroll
        for (int item = 0; item < items; ++item) to[item] = from[place(item)];
        exchange(to);
    }
    template <class I> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items], int valid) {
#pragma unroll
        for (int item = 0; item < items; ++item) {
            if (place(item) < valid) to[item] = from[place(item)];
        }
        exchange(to);
    }
    template <class I, class D> __LOCKSTEP_MEMBER void Load(I from, T (&to)[items], int valid, D otherwise) {
#pragma unroll
        for (int item = 0; item < items; ++item) to[item] = otherwise;
        Load(from, to, valid);
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
            for (int item = 0; item < items; ++item) storage.values[place(item)] = to[item];
            if constexpr (mode == BLOCK_LOAD_WARP_TRANSPOSE) __syncwarp(); else __syncthreads();
#pragma unroll
            for (int item = 0; item < items; ++item) to[item] = storage.values[places::blocked(item)];
        }
    }
    __LOCKSTEP_STORAGE
};

template <class T, int X, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
    typedef __lockstep_places<X, items, Y, Z> places;
    static constexpr int mode = algorithm <= BLOCK_STORE_TRANSPOSE ? algorithm : BLOCK_STORE_WARP_TRANSPOSE;
    static constexpr bool exchanges = mode >= BLOCK_STORE_TRANSPOSE;

public:
    struct TempStorage { T values[exchanges ? X * Y * Z * items : 1]; };
    __LOCKSTEP_MEMBER BlockStore() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockStore(TempStorage &storage) : storage(storage) {}

    template <class I> __LOCKSTEP_MEMBER void Store(I to, T (&from)[items]) { Store(to, from, X * Y * Z * items); }
    template <class I> __LOCKSTEP_MEMBER void Store(I to, T (&from)[items], int valid) {
        exchange(from);
#pragma unroll
        for (int item = 0; item < items; ++item) {
            if (place(item) < valid) to[place(item)] = from[item];
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
            for (int item = 0; item < items; ++item) storage.values[places::blocked(item)] = values[item];
            if constexpr (mode == BLOCK_STORE_WARP_TRANSPOSE) __syncwarp(); else __syncthreads();
#pragma unroll
            for (int item = 0; item < items; ++item) values[item] = storage.values[place(item)];
        }
    }
    __LOCKSTEP_STORAGE
};

template <class T, int X, int items, bool = false, int Y = 1, int Z = 1, int = 0> class BlockExchange {
    typedef __lockstep_places<X, items, Y, Z> places;

public:
    struct TempStorage { T values[X * Y * Z * items]; };
    __LOCKSTEP_MEMBER BlockExchange() : storage(own()) {}
    __LOCKSTEP_MEMBER BlockExchange(TempStorage &storage) : storage(storage) {}
#define __LOCKSTEP_EXCHANGED(NAME, FROM, TO)                                                                         \
    template <class O> __LOCKSTEP_MEMBER void NAME(const T (&from)[items], O (&to)[items]) {                         \
        T values[items];                                                                                             \
        _Pragma("unroll") for (int item = 0; item < items; ++item) values[item] = from[item];                        \
        _Pragma("unroll") for (int item = 0; item < items; ++item) storage.values[places::FROM(item)] = values[item];\
        __syncthreads();                                                                                             \
        _Pragma("unroll") for (int item = 0; item < items; ++item) to[item] = storage.values[places::TO(item)];      \
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
template <class... > struct __lockstep_none;
template <class K, int X, int items, class V = __lockstep_none<>, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1>
struct BlockRadixSort {
    __LOCKSTEP_WITHOUT_STORAGE(BlockRadixSort)
    __LOCKSTEP_REFUSED(BlockRadixSort, Sort)
    __LOCKSTEP_REFUSED(BlockRadixSort, SortDescending)
    __LOCKSTEP_REFUSED(BlockRadixSort, SortBlockedToStriped)
    __LOCKSTEP_REFUSED(BlockRadixSort, SortDescendingBlockedToStriped)
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
/* Lanes of a warp exchange numbers; other things through memory. */
template <class T, int size, bool = __is_arithmetic(T)> struct __lockstep_warp {
    struct TempStorage { T values[size]; };
    TempStorage &storage;
    __LOCKSTEP_MEMBER static int lane() { return LaneId() & (size - 1); }
    __LOCKSTEP_MEMBER static __lockstep_mask mask() { return __lockstep_lanes<size>(); }
    __LOCKSTEP_MEMBER T from(T value, int other) {
        __syncwarp(mask());
        storage.values[lane()] = value;
        __syncwarp(mask());
        return storage.values[other < 0 || other >= size ? lane() : other];
    }
};
template <class T, int size> struct __lockstep_warp<T, size, true> {
    struct TempStorage {};
    TempStorage &storage;
    __LOCKSTEP_MEMBER static int lane() { return LaneId() & (size - 1); }
    __LOCKSTEP_MEMBER static __lockstep_mask mask() { return __lockstep_lanes<size>(); }
    __LOCKSTEP_MEMBER T from(T value, int other) {
        return (T)__shfl_sync(mask(), value, other < 0 || other >= size ? lane() : other, size);
    }
};

template <class T, int size = __LOCKSTEP_WARP_SIZE, int = 0> class WarpReduce {
    typedef __lockstep_warp<T, size> Warp;
    Warp warp;
    template <int distance, class F> __LOCKSTEP_MEMBER T step(T value, F function, int valid) {
        if constexpr (distance < size) {
            int other = Warp::lane() + distance;
            T theirs = warp.from(value, other);
            T next = other < valid ? (T)function(value, theirs) : value;
            return step<2 * distance>(next, function, valid);
        }
        return value;
    }

public:
    typedef typename Warp::TempStorage TempStorage;
    __LOCKSTEP_MEMBER WarpReduce(TempStorage &storage) : warp{storage} {}
    /* The result is the first lane's. */
    template <class F> __LOCKSTEP_MEMBER T Reduce(T value, F function, int valid = size) {
        return step<1>(value, function, valid);
    }
    __LOCKSTEP_MEMBER T Sum(T value, int valid = size) { return Reduce(value, cub::Sum(), valid); }
};

template <class T, int size = __LOCKSTEP_WARP_SIZE, int = 0> class WarpScan {
    typedef __lockstep_warp<T, size> Warp;
    Warp warp;
    template <int distance, class F> __LOCKSTEP_MEMBER T step(T value, F function) {
        if constexpr (distance < size) {
            int other = Warp::lane() - distance;
            T theirs = warp.from(value, other);
            T next = other >= 0 ? (T)function(theirs, value) : value;
            return step<2 * distance>(next, function);
        }
        return value;
    }

public:
    typedef typename Warp::TempStorage TempStorage;
    __LOCKSTEP_MEMBER WarpScan(TempStorage &storage) : warp{storage} {}
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function) {
        result = step<1>(value, function);
    }
    template <class F> __LOCKSTEP_MEMBER void InclusiveScan(T value, T &result, F function, T &all) {
        result = step<1>(value, function);
        all = warp.from(result, size - 1);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function) {
        T before = warp.from(step<1>(value, function), Warp::lane() - 1);
        result = Warp::lane() == 0 ? initial : (T)function(initial, before);
    }
    template <class F> __LOCKSTEP_MEMBER void ExclusiveScan(T value, T &result, T initial, F function, T &all) {
        T inclusive = step<1>(value, function);
        T before = warp.from(inclusive, Warp::lane() - 1);
        result = Warp::lane() == 0 ? initial : (T)function(initial, before);
        all = warp.from(inclusive, size - 1);
    }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result) { InclusiveScan(value, result, cub::Sum()); }
    __LOCKSTEP_MEMBER void InclusiveSum(T value, T &result, T &all) { InclusiveScan(value, result, cub::Sum(), all); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result) { ExclusiveScan(value, result, T(), cub::Sum()); }
    __LOCKSTEP_MEMBER void ExclusiveSum(T value, T &result, T &all) {
        ExclusiveScan(value, result, T(), cub::Sum(), all);
    }
    __LOCKSTEP_MEMBER T Broadcast(T value, unsigned int lane) { return warp.from(value, lane); }
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
