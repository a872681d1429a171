// Litmus kernels of the rules of memory and barriers that Lockstep relies on, or refuses to rely
// on.
//
//     nvcc -arch=sm_90 -std=c++17 litmus.cu -o litmus
//     ./litmus list; ./litmus NAME [REPEATS [SECONDS]]
//
// SECONDS end the repetitions of each configuration of the tests through memory.
//
// Each test prints lines `NAME / CONFIGURATION: RUNS runs; OUTCOME COUNT, ...`. A test that may
// hang gives up by itself; run each in a process of its own with a time limit all the same.

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            printf("error %s at line %d\n", cudaGetErrorName(error), __LINE__);                    \
            fflush(stdout);                                                                        \
            _exit(7);                                                                              \
        }                                                                                          \
    } while (0)

static int repeats = 20;
static double seconds_each = 60;

// Waits for the device; a kernel that does not end within the seconds ends the process.
static void finish(const char *name, double seconds = 10)
{
    CHECK(cudaGetLastError());
    auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(0) == cudaErrorNotReady) {
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (passed.count() > seconds) {
            printf("%s: hang\n", name);
            fflush(stdout);
            _exit(9);
        }
    }
    CHECK(cudaDeviceSynchronize());
}

template <typename T>
struct Device {
    T *at;
    size_t count;
    explicit Device(size_t n) : count(n)
    {
        CHECK(cudaMalloc(&at, n * sizeof(T)));
        clear();
    }
    ~Device() { cudaFree(at); }
    void clear(int byte = 0) { CHECK(cudaMemset(at, byte, count * sizeof(T))); }
    std::vector<T> read() const
    {
        std::vector<T> host(count);
        CHECK(cudaMemcpy(host.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

typedef unsigned long long Count;

// ---- Accesses and fences ------------------------------------------------------------------------

enum Access { PLAIN, VOLATILE, RELAXED_GPU, ORDERED_GPU, RELAXED_CTA, ORDERED_CTA };
enum Fence { NONE, ACQ_REL_CTA, SC_CTA, ACQ_REL_GPU, SC_GPU };

static const char *name_of(Access a)
{
    const char *names[] = {"plain",       "volatile",
                           "relaxed.gpu", "release/acquire.gpu",
                           "relaxed.cta", "release/acquire.cta"};
    return names[a];
}

static const char *name_of(Fence f)
{
    const char *names[] = {"no fence", "fence.acq_rel.cta", "fence.sc.cta", "fence.acq_rel.gpu",
                           "fence.sc.gpu"};
    return names[f];
}

template <Access A>
__device__ inline unsigned ld(const unsigned *p)
{
    unsigned v;
    if constexpr (A == PLAIN) {
        asm volatile("ld.weak.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    } else if constexpr (A == VOLATILE) {
        asm volatile("ld.volatile.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    } else if constexpr (A == RELAXED_GPU) {
        asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    } else if constexpr (A == ORDERED_GPU) {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    } else if constexpr (A == RELAXED_CTA) {
        asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    } else {
        asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    }
    return v;
}

template <Access A>
__device__ inline void st(unsigned *p, unsigned v)
{
    if constexpr (A == PLAIN) {
        asm volatile("st.weak.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (A == VOLATILE) {
        asm volatile("st.volatile.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (A == RELAXED_GPU) {
        asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (A == ORDERED_GPU) {
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (A == RELAXED_CTA) {
        asm volatile("st.relaxed.cta.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    } else {
        asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    }
}

// The data accesses of a message beside ordered flags are plain.
__host__ __device__ constexpr Access data_of(Access a)
{
    return a == ORDERED_GPU || a == ORDERED_CTA ? PLAIN : a;
}

template <Fence F>
__device__ inline void fence()
{
    if constexpr (F == ACQ_REL_CTA) {
        asm volatile("fence.acq_rel.cta;" ::: "memory");
    } else if constexpr (F == SC_CTA) {
        asm volatile("fence.sc.cta;" ::: "memory");
    } else if constexpr (F == ACQ_REL_GPU) {
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
    } else if constexpr (F == SC_GPU) {
        __threadfence();
    }
}

__device__ inline unsigned hash32(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

__device__ inline void spin(unsigned cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) {
    }
}

// ---- Two and four threads: MP, SB, LB, CoRR, IRIW -----------------------------------------------

enum Shape { MP, SB, LB, CORR, IRIW, TICKET };
enum Place { BLOCKS, WARPS, LANES, WARPS_SHARED };

static const char *name_of(Shape s)
{
    const char *names[] = {"MP", "SB", "LB", "CoRR", "IRIW", "ticket"};
    return names[s];
}

static const char *name_of(Place p)
{
    const char *names[] = {"blocks", "warps of a block", "lanes of a warp", "warps, shared memory"};
    return names[p];
}

struct Arena {
    unsigned *x, *y, *z, *w; // one location for each instance and round
    Count *seen;             // the counts of a test
    unsigned *results;   // one number of bits for each
    unsigned *waiting;   // a counter for each round: all testing blocks start together
    unsigned *scratch;   // for blocks that only cause traffic
    unsigned *ended;
    unsigned instances, rounds, stride, testing, seed, jitter;
    bool warm;
};

constexpr unsigned SCRATCH = 1 << 20;
constexpr unsigned THREADS = 256;

__device__ inline void meet(unsigned *counter, unsigned blocks)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(counter, 1);
        long long start = clock64();
        while (*(volatile unsigned *)counter < blocks && clock64() - start < 2000000) {
        }
    }
    __syncthreads();
}

// Stores and loads all over a scratch pad, until the tests are done.
__device__ inline void traffic(const Arena &a)
{
    unsigned state = hash32(a.seed + blockIdx.x * THREADS + threadIdx.x);
    for (int i = 0; i < 200000 && *(volatile unsigned *)a.ended < a.testing; i++) {
        state = hash32(state + i);
        unsigned *at = &a.scratch[(state & 255) * 32 * 97 % SCRATCH];
        if (state & 256) {
            *(volatile unsigned *)at = state;
        } else {
            unsigned v = *(volatile unsigned *)at;
            state += v & 1;
        }
    }
}

template <Shape S, Access A, Fence F>
__device__ inline unsigned play(unsigned role, unsigned *x, unsigned *y, unsigned *z)
{
    constexpr Access D = S == MP ? data_of(A) : A;
    unsigned r = 0;
    if constexpr (S == MP) {
        if (role == 0) {
            st<D>(x, 1);
            fence<F>();
            st<A>(y, 1);
        } else {
            unsigned flag = 0;
            for (int i = 0; i < 30 && !flag; i++) {
                flag = ld<A>(y);
            }
            fence<F>();
            r = flag | ld<D>(x) << 1;
        }
    } else if constexpr (S == SB) {
        st<A>(role == 0 ? x : y, 1);
        fence<F>();
        r = ld<A>(role == 0 ? y : x) << role;
    } else if constexpr (S == LB) {
        r = ld<A>(role == 0 ? x : y) << role;
        fence<F>();
        st<A>(role == 0 ? y : x, 1);
    } else if constexpr (S == CORR) {
        if (role == 0) {
            st<A>(x, 1);
        } else {
            unsigned first = ld<A>(x);
            fence<F>();
            r = first | ld<A>(x) << 1;
        }
    } else if constexpr (S == TICKET) {
        // Either thread stores, then draws; who comes second reads what the other stored.
        st<A>(role == 0 ? x : y, 1);
        fence<F>();
        if (atomicAdd(z, 1) == 1) {
            fence<F>();
            r = 1 | ld<A>(role == 0 ? y : x) << 1;
        }
    } else {
        if (role < 2) {
            st<A>(role == 0 ? x : y, 1);
        } else {
            unsigned first = ld<A>(role == 2 ? x : y);
            fence<F>();
            unsigned second = ld<A>(role == 2 ? y : x);
            r = (first | second << 1) << 2 * (role - 2);
        }
    }
    return r;
}

template <Shape S, Access A, Fence F, Place P>
__global__ void __launch_bounds__(THREADS) litmus(Arena a)
{
    constexpr unsigned ROLES = S == IRIW ? 4 : 2;
    constexpr unsigned PART = THREADS / ROLES;
    __shared__ unsigned cells[2 * THREADS];
    unsigned t = threadIdx.x, b = blockIdx.x;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    for (unsigned round = 0; round < a.rounds; round++) {
        unsigned role, instance;
        unsigned salt = hash32(a.seed ^ round) & ~1u;
        if (P == BLOCKS) {
            role = b % ROLES;
            instance = b / ROLES * THREADS + ((t * (2 * role + 1) + salt * role) & (THREADS - 1));
        } else if (P == LANES) {
            role = t % ROLES;
            instance = b * PART + t / ROLES;
        } else {
            role = t / PART;
            instance = b * PART + ((t % PART) * (2 * role + 1) + (role ? salt : 0)) % PART;
        }
        size_t at = (size_t)round * a.instances + instance;
        unsigned *x = a.x + at * a.stride;
        unsigned *y = a.y + at * a.stride;
        if (P == WARPS_SHARED) {
            unsigned local = instance % PART;
            x = &cells[local];
            y = &cells[THREADS + (local * 5 + 32) % PART];
            __syncthreads();
            cells[t] = cells[t + THREADS] = 0;
        }
        if (a.warm && (role || S == TICKET)) {
            // The lines are in the first-level cache before the other thread writes.
            unsigned v = ld<PLAIN>(x) + ld<PLAIN>(y);
            asm volatile("" ::"r"(v));
        }
        if (P == BLOCKS) {
            meet(&a.waiting[round], a.testing);
        } else {
            __syncthreads();
        }
        if (a.jitter) {
            spin(hash32(b * 64 + t / 32 + salt) & a.jitter); // the same for a warp
        }
        unsigned r = play<S, A, F>(role, x, y, a.z + at * a.stride);
        if (r) {
            atomicOr(&a.results[at], r);
        }
    }
    __syncthreads();
    if (t == 0) {
        atomicAdd(a.ended, 1);
    }
}

__global__ void histogram(const unsigned *results, size_t n, Count *seen)
{
    __shared__ unsigned mine[16];
    if (threadIdx.x < 16) {
        mine[threadIdx.x] = 0;
    }
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        atomicAdd(&mine[results[i] & 15], 1);
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        atomicAdd(&seen[threadIdx.x], (Count)mine[threadIdx.x]);
    }
}

constexpr unsigned ROUNDS = 32, TESTING = 128, LARGEST_STRIDE = 32;

static Arena &arena()
{
    static Arena a{};
    if (!a.x) {
        size_t locations = (size_t)TESTING * THREADS * ROUNDS;
        CHECK(cudaMalloc(&a.x, (locations + 64) * LARGEST_STRIDE * 4));
        CHECK(cudaMalloc(&a.y, (locations + 64) * LARGEST_STRIDE * 4));
        CHECK(cudaMalloc(&a.z, (locations + 64) * LARGEST_STRIDE * 4));
        CHECK(cudaMalloc(&a.w, (locations + 64) * LARGEST_STRIDE * 4));
        CHECK(cudaMalloc(&a.results, locations * 4));
        CHECK(cudaMalloc(&a.waiting, ROUNDS * 4));
        CHECK(cudaMalloc(&a.scratch, SCRATCH * 4));
        CHECK(cudaMalloc(&a.ended, 4));
    }
    return a;
}

template <Shape S, Access A, Fence F, Place P>
static void shape(bool warm)
{
    Arena a = arena();
    constexpr unsigned ROLES = S == IRIW ? 4 : 2;
    Device<Count> seen(16);
    Count runs = 0;
    char name[200];
    snprintf(name, sizeof name, "%s / %s, %s, %s%s", name_of(S), name_of(P), name_of(A), name_of(F),
             warm ? ", cached before" : "");
    const unsigned strides[] = {1, 8, 32};
    const unsigned jitters[] = {0, 255, 1023, 4095};
    for (int i = 0; i < repeats; i++) {
        a.testing = TESTING;
        a.instances = TESTING * THREADS / ROLES;
        a.rounds = ROUNDS;
        a.stride = strides[i % 3];
        a.jitter = jitters[i / 3 % 4];
        a.seed = 12345u + 777u * i;
        a.warm = warm;
        size_t n = (size_t)a.instances * a.rounds;
        CHECK(cudaMemset(a.x, 0, n * a.stride * 4));
        CHECK(cudaMemset(a.y, 0, n * a.stride * 4));
        CHECK(cudaMemset(a.z, 0, n * a.stride * 4));
        CHECK(cudaMemset(a.results, 0, n * 4));
        CHECK(cudaMemset(a.waiting, 0, ROUNDS * 4));
        CHECK(cudaMemset(a.ended, 0, 4));
        unsigned traffic = i % 2 ? 128 : 0;
        litmus<S, A, F, P><<<a.testing + traffic, THREADS>>>(a);
        finish(name);
        histogram<<<256, 256>>>(a.results, n, seen.at);
        CHECK(cudaDeviceSynchronize());
        runs += n;
    }
    std::vector<Count> counts = seen.read();
    printf("%s: %llu runs;", name, runs);
    for (unsigned o = 0; o < (S == IRIW ? 16u : 4u); o++) {
        if (S == IRIW && o != 5 && counts[o] == 0) {
            continue;
        }
        // Bit 0 is the first value that is read.
        if (S == IRIW) {
            bool weak = o == 5; // x then not y, and y then not x
            printf(" %u%u%u%u %llu%s,", o & 1, o >> 1 & 1, o >> 2 & 1, o >> 3 & 1, counts[o],
                   weak ? " (weak)" : "");
        } else {
            bool weak = S == SB ? o == 0 : S == LB ? o == 3 : o == 1;
            printf(" %u%u %llu%s,", o & 1, o >> 1, counts[o], weak ? " (weak)" : "");
        }
    }
    printf("\n");
    fflush(stdout);
}

static void test_mp()
{
    shape<MP, PLAIN, NONE, BLOCKS>(true);
    shape<MP, PLAIN, NONE, BLOCKS>(false);
    shape<MP, VOLATILE, NONE, BLOCKS>(true);
    shape<MP, RELAXED_GPU, NONE, BLOCKS>(true);
    shape<MP, ORDERED_GPU, NONE, BLOCKS>(true);
    shape<MP, ORDERED_CTA, NONE, BLOCKS>(true);
    shape<MP, RELAXED_CTA, NONE, BLOCKS>(true);
    shape<MP, PLAIN, SC_GPU, BLOCKS>(true);
    shape<MP, VOLATILE, SC_GPU, BLOCKS>(true);
    shape<MP, RELAXED_GPU, SC_GPU, BLOCKS>(true);
    shape<MP, RELAXED_GPU, ACQ_REL_GPU, BLOCKS>(true);
    shape<MP, VOLATILE, ACQ_REL_CTA, BLOCKS>(true);
    shape<MP, RELAXED_GPU, ACQ_REL_CTA, BLOCKS>(true);
    shape<MP, PLAIN, ACQ_REL_CTA, BLOCKS>(true);
    shape<MP, PLAIN, SC_CTA, BLOCKS>(true);
    shape<MP, PLAIN, NONE, WARPS>(true);
    shape<MP, VOLATILE, NONE, WARPS>(true);
    shape<MP, ORDERED_CTA, NONE, WARPS>(true);
    shape<MP, VOLATILE, ACQ_REL_CTA, WARPS>(true);
    shape<MP, PLAIN, ACQ_REL_CTA, WARPS>(true);
    shape<MP, PLAIN, NONE, WARPS_SHARED>(false);
    shape<MP, VOLATILE, ACQ_REL_CTA, WARPS_SHARED>(false);
    shape<MP, PLAIN, NONE, LANES>(true);
    shape<MP, VOLATILE, ACQ_REL_CTA, LANES>(true);
}

static void test_sb()
{
    shape<SB, PLAIN, NONE, BLOCKS>(true);
    shape<SB, VOLATILE, NONE, BLOCKS>(true);
    shape<SB, RELAXED_GPU, NONE, BLOCKS>(true);
    shape<SB, ORDERED_GPU, NONE, BLOCKS>(true);
    shape<SB, RELAXED_GPU, ACQ_REL_GPU, BLOCKS>(true);
    shape<SB, RELAXED_GPU, SC_GPU, BLOCKS>(true);
    shape<SB, VOLATILE, SC_GPU, BLOCKS>(true);
    shape<SB, PLAIN, SC_GPU, BLOCKS>(true);
    shape<SB, RELAXED_CTA, SC_CTA, BLOCKS>(true);
    shape<SB, PLAIN, NONE, WARPS>(true);
    shape<SB, RELAXED_CTA, NONE, WARPS>(true);
    shape<SB, RELAXED_CTA, ACQ_REL_CTA, WARPS>(true);
    shape<SB, RELAXED_CTA, SC_CTA, WARPS>(true);
    shape<SB, PLAIN, NONE, WARPS_SHARED>(false);
    shape<SB, PLAIN, NONE, LANES>(true);
}

static void test_lb()
{
    shape<LB, PLAIN, NONE, BLOCKS>(false);
    shape<LB, PLAIN, NONE, BLOCKS>(true);
    shape<LB, VOLATILE, NONE, BLOCKS>(false);
    shape<LB, RELAXED_GPU, NONE, BLOCKS>(false);
    shape<LB, ORDERED_GPU, NONE, BLOCKS>(false);
    shape<LB, RELAXED_GPU, SC_GPU, BLOCKS>(false);
    shape<LB, PLAIN, NONE, WARPS>(false);
    shape<LB, PLAIN, NONE, WARPS_SHARED>(false);
}

static void test_corr()
{
    shape<CORR, PLAIN, NONE, BLOCKS>(true);
    shape<CORR, PLAIN, NONE, BLOCKS>(false);
    shape<CORR, VOLATILE, NONE, BLOCKS>(true);
    shape<CORR, RELAXED_GPU, NONE, BLOCKS>(true);
    shape<CORR, RELAXED_CTA, NONE, BLOCKS>(true);
    shape<CORR, PLAIN, NONE, WARPS>(true);
    shape<CORR, VOLATILE, NONE, WARPS>(true);
    shape<CORR, PLAIN, NONE, WARPS_SHARED>(false);
}

static void test_iriw()
{
    shape<IRIW, PLAIN, NONE, BLOCKS>(true);
    shape<IRIW, VOLATILE, NONE, BLOCKS>(true);
    shape<IRIW, RELAXED_GPU, NONE, BLOCKS>(true);
    shape<IRIW, ORDERED_GPU, NONE, BLOCKS>(true);
    shape<IRIW, RELAXED_GPU, ACQ_REL_GPU, BLOCKS>(true);
    shape<IRIW, RELAXED_GPU, SC_GPU, BLOCKS>(true);
}

static void test_ticket()
{
    shape<TICKET, PLAIN, NONE, BLOCKS>(true);
    shape<TICKET, VOLATILE, NONE, BLOCKS>(true);
    shape<TICKET, PLAIN, ACQ_REL_CTA, BLOCKS>(true);
    shape<TICKET, PLAIN, SC_CTA, BLOCKS>(true);
    shape<TICKET, PLAIN, ACQ_REL_GPU, BLOCKS>(true);
    shape<TICKET, PLAIN, SC_GPU, BLOCKS>(true);
    shape<TICKET, PLAIN, NONE, WARPS>(true);
    shape<TICKET, PLAIN, ACQ_REL_CTA, WARPS>(true);
}

// ---- Mixed reads of one location: a strong load, then a plain one -------------------------------

// The reader's plain load comes from its first-level cache after a strong load saw the new value.
template <bool FENCE>
__global__ void strong_then_plain(unsigned *cells, unsigned *waiting, Count *seen, unsigned n,
                                  unsigned rounds)
{
    unsigned t = blockIdx.x / 2 * blockDim.x + threadIdx.x;
    for (unsigned round = 0; round < rounds; round++) {
        unsigned *at = cells + (size_t)(round * n + t) * 8;
        if (blockIdx.x & 1) {
            unsigned v = ld<PLAIN>(at);
            asm volatile("" ::"r"(v));
        }
        meet(&waiting[round], gridDim.x);
        if (blockIdx.x & 1) {
            spin(hash32(t / 32 + round) & 4095);
            unsigned first = ld<RELAXED_GPU>(at);
            if (FENCE) {
                __threadfence();
            }
            unsigned second = ld<PLAIN>(at);
            atomicAdd(&seen[first + 2 * second], 1ull);
        } else {
            spin(hash32(t / 32 * 3 + round) & 4095);
            st<PLAIN>(at, 1);
        }
    }
}

template <bool FENCE>
static void mixed()
{
    Device<unsigned> cells(64 * 256 * 16 * 8), waiting(16);
    Device<Count> seen(4);
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        waiting.clear();
        strong_then_plain<FENCE><<<128, 256>>>(cells.at, waiting.at, seen.at, 64 * 256, 16);
        finish("CoRR mixed");
    }
    std::vector<Count> s = seen.read();
    printf("CoRR mixed / blocks, relaxed.gpu load and then a plain load of the same word, cached "
           "before, %s: %llu runs; "
           "00 %llu, 10 %llu (weak), 01 %llu, 11 %llu\n",
           FENCE ? "__threadfence between" : "no fence", s[0] + s[1] + s[2] + s[3], s[0], s[1],
           s[2], s[3]);
}

static void test_mixed()
{
    mixed<false>();
    mixed<true>();
}

// ---- Barriers of the block and of the warp order memory -----------------------------------------

enum Meeting { SYNCTHREADS, SYNCWARP_ALL, NOTHING, SHUFFLE, BALLOT };

// Each thread writes its cell of global and of shared memory; then it reads a neighbour's.
template <Meeting M>
__global__ void exchange(unsigned *global, Count *seen, unsigned rounds, unsigned seed)
{
    __shared__ unsigned shared[1024];
    unsigned t = threadIdx.x, n = M == SYNCTHREADS || M == NOTHING ? blockDim.x : 32;
    unsigned base = t / n * n;
    unsigned *mine = global + (size_t)blockIdx.x * blockDim.x;
    mine[t] = shared[t] = 0;
    __syncthreads();
    Count stale_global = 0, stale_shared = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        unsigned jitter = hash32(seed + t * 7919 + round) & 255;
        unsigned from = base + (t + 1 + round % (n - 1)) % n;
        unsigned old = ld<PLAIN>(&mine[from]); // into the cache
        asm volatile("" ::"r"(old));
        __syncthreads();
        if (jitter & 1) {
            spin(jitter);
        }
        st<PLAIN>(&mine[t], round);
        st<PLAIN>(&shared[t], round);
        if (M == SYNCTHREADS) {
            __syncthreads();
        } else if (M == SYNCWARP_ALL) {
            __syncwarp();
        } else if (M == SHUFFLE) {
            unsigned v = __shfl_xor_sync(~0u, round, 1);
            asm volatile("" ::"r"(v) : "memory");
        } else if (M == BALLOT) {
            unsigned v = __ballot_sync(~0u, 1);
            asm volatile("" ::"r"(v) : "memory");
        }
        stale_global += ld<PLAIN>(&mine[from]) != round;
        stale_shared += ld<PLAIN>(&shared[from]) != round;
        __syncthreads();
    }
    atomicAdd(&seen[0], stale_global);
    atomicAdd(&seen[1], stale_shared);
}

template <Meeting M>
static void exchanges(const char *what)
{
    Device<unsigned> cells(264 * 1024);
    Device<Count> seen(2);
    Count runs = 0;
    for (int i = 0; i < repeats; i++) {
        exchange<M><<<264, 256>>>(cells.at, seen.at, 500, i);
        finish(what);
        runs += 264ull * 256 * 500;
    }
    std::vector<Count> s = seen.read();
    printf("exchange / %s: %llu runs; stale in global memory %llu, in shared memory %llu\n", what,
           runs, s[0], s[1]);
}

static void test_exchange()
{
    exchanges<SYNCTHREADS>("block, __syncthreads");
    exchanges<NOTHING>("block, nothing");
    exchanges<SYNCWARP_ALL>("warp, __syncwarp after a divergent delay");
    exchanges<SHUFFLE>("warp, __shfl_xor_sync after a divergent delay");
    exchanges<BALLOT>("warp, __ballot_sync after a divergent delay");
}

// A neighbour's value in shared memory, without a barrier, in straight code and after a branch.
__global__ void lock_step(Count *seen, unsigned rounds, bool divide)
{
    __shared__ volatile unsigned cells[256];
    unsigned t = threadIdx.x;
    cells[t] = 0;
    __syncthreads();
    Count stale = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (divide && hash32(t + round) & 1) {
            spin(64);
        }
        cells[t] = round;
        stale += cells[t ^ 1] < round;
        __syncthreads();
    }
    atomicAdd(seen, stale);
}

// The same, with the statements in either branch.
__global__ void lock_step_branches(Count *seen, unsigned rounds)
{
    __shared__ unsigned cells[256];
    unsigned t = threadIdx.x;
    cells[t] = 0;
    __syncthreads();
    Count stale = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        // Different instructions, so that the compiler does not make one copy of them.
        if (hash32(t + round) & 1) {
            *(volatile unsigned *)&cells[t] = round;
            stale += *(volatile unsigned *)&cells[t ^ 1] < round;
        } else {
            atomicExch(&cells[t], round);
            stale += atomicOr(&cells[t ^ 1], 0) < round;
        }
        __syncthreads();
    }
    atomicAdd(seen, stale);
}

// The two halves of a warp answer each other, alternately: neither half may wait for the other's
// branch to end.
__global__ void ping_pong(unsigned *turns, Count *seen)
{
    __shared__ volatile unsigned turn;
    unsigned t = threadIdx.x;
    if (t == 0) {
        turn = 0;
    }
    __syncwarp();
    long long start = clock64();
    unsigned count = 0;
    if (t == 0) {
        while (count < 1000 && clock64() - start < 100000000) {
            if (turn % 2 == 0) {
                turn = turn + 1;
                count++;
            }
        }
    } else if (t == 1) {
        while (count < 1000 && clock64() - start < 100000000) {
            if (turn % 2 == 1) {
                turn = turn + 1;
                count++;
            }
        }
    }
    __syncwarp();
    if (t < 2) {
        atomicAdd(seen, (Count)count);
    }
    turns[0] = turn;
}

// The order in which lanes pass two statements: does a lane pass the second before another passes
// the first, with nothing but a branch before?
__global__ void passing(Count *seen, unsigned rounds)
{
    __shared__ unsigned first[32], clock_now;
    unsigned t = threadIdx.x;
    Count apart = 0;
    for (unsigned round = 0; round < rounds; round++) {
        if (t == 0) {
            clock_now = 0;
        }
        __syncwarp();
        if (hash32(t * 31 + round) & 1) {
            spin(32);
        }
        unsigned one = atomicAdd(&clock_now, 1);
        unsigned two = atomicAdd(&clock_now, 1);
        first[t] = one;
        __syncwarp();
        for (unsigned i = 0; i < 32; i++) {
            if (two < first[i]) {
                apart++;
                break;
            }
        }
        __syncwarp();
    }
    atomicAdd(seen, apart);
}

static void test_lock_step()
{
    Device<Count> seen(1);
    Device<unsigned> turns(1);
    Count runs = 264ull * 256 * 1000 * repeats;
    for (int divide = 0; divide < 2; divide++) {
        seen.clear();
        for (int i = 0; i < repeats; i++) {
            lock_step<<<264, 256>>>(seen.at, 1000, divide);
            finish("lock step");
        }
        printf("lock step / neighbour's cell of shared memory, no barrier, %s: %llu runs; stale "
               "%llu\n",
               divide ? "after a branch" : "straight code", runs, seen.read()[0]);
    }
    seen.clear();
    for (int i = 0; i < repeats; i++) {
        lock_step_branches<<<264, 256>>>(seen.at, 1000);
        finish("lock step, branches");
    }
    printf("lock step / the same statements in either branch: %llu runs; stale %llu\n", runs,
           seen.read()[0]);
    seen.clear();
    for (int i = 0; i < repeats; i++) {
        ping_pong<<<132, 32>>>(turns.at, seen.at);
        finish("ping-pong");
    }
    printf("lock step / two lanes in two branches take turns 1000 times each: %d runs; turns taken "
           "%llu of %llu\n",
           132 * repeats, seen.read()[0], 132ull * repeats * 2000);
    seen.clear();
    for (int i = 0; i < repeats; i++) {
        passing<<<264, 32>>>(seen.at, 1000);
        finish("passing");
    }
    printf("lock step / a lane passes two statements before another passes the first, after a "
           "branch: %llu runs; "
           "seen %llu\n",
           264ull * 32 * 1000 * repeats, seen.read()[0]);
}

// ---- Neighbouring bytes, bit-fields, wide accesses ----------------------------------------------

template <typename T, bool SHARED>
__global__ void neighbours(T *cells, Count *wrong, unsigned rounds)
{
    __shared__ T shared[1024];
    unsigned t = threadIdx.x, g = SHARED ? t : threadIdx.x * gridDim.x + blockIdx.x;
    volatile T *mine = SHARED ? &shared[g] : &cells[g];
    Count bad = 0;
    *mine = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        *mine = (T)(round * 3 + g);
        // Relaxed: the own last store must be seen whatever the neighbours do.
        bad += *mine != (T)(round * 3 + g);
    }
    __threadfence();
    bad += *mine != (T)(rounds * 3 + g);
    atomicAdd(wrong, bad);
}

template <typename T>
static void neighbour(const char *what)
{
    for (int shared = 0; shared < 2; shared++) {
        Device<T> cells(132 * 1024);
        Device<Count> wrong(1);
        Count runs = 0, late = 0;
        for (int i = 0; i < repeats; i++) {
            if (shared) {
                neighbours<T, true><<<132, 1024>>>(cells.at, wrong.at, 1000);
            } else {
                neighbours<T, false><<<132, 1024>>>(cells.at, wrong.at, 1000);
            }
            finish(what);
            runs += 132ull * 1024 * 1000;
            if (!shared) {
                std::vector<T> now = cells.read();
                for (size_t g = 0; g < now.size(); g++) {
                    late += now[g] != (T)(3000 + g);
                }
            }
        }
        printf("neighbours / %s beside %s of other threads, %s: %llu stores; disturbed %llu, at "
               "the end %llu\n",
               what, what,
               shared ? "shared memory, one block" : "global memory, neighbours in other blocks",
               runs, wrong.read()[0], late);
    }
}

struct Fields {
    unsigned a : 8;
    unsigned b : 8;
    unsigned c : 16;
};

__global__ void bit_fields(Fields *cells, Count *lost, unsigned rounds)
{
    volatile Fields *mine = &cells[threadIdx.x];
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (blockIdx.x == 0) {
            mine->a = round & 255;
            bad += mine->a != (round & 255);
        } else {
            mine->b = round & 255;
            bad += mine->b != (round & 255);
        }
    }
    atomicAdd(lost, bad);
}

struct Quad {
    unsigned x, y, z, w;
};

template <int BYTES>
__device__ inline void wide_store(unsigned *p, unsigned v)
{
    if constexpr (BYTES == 8) {
        asm volatile("st.weak.v2.u32 [%0], {%1, %1};" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (BYTES == 16) {
        asm volatile("st.weak.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(v) : "memory");
    } else if constexpr (BYTES == 9) { // one number of 8 bytes
        asm volatile("st.weak.u64 [%0], %1;" ::"l"(p), "l"((unsigned long long)v << 32 | v)
                     : "memory");
    } else { // two stores of 16 bytes
        asm volatile("st.weak.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(v) : "memory");
        asm volatile("st.weak.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p + 4), "r"(v) : "memory");
    }
}

template <int BYTES>
__device__ inline bool wide_torn(unsigned *p)
{
    unsigned a, b, c, d;
    if constexpr (BYTES == 8) {
        asm volatile("ld.volatile.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p) : "memory");
        return a != b;
    } else if constexpr (BYTES == 16) {
        asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p)
                     : "memory");
        return a != b || a != c || a != d;
    } else if constexpr (BYTES == 9) {
        unsigned long long v;
        asm volatile("ld.volatile.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
        return (unsigned)v != (unsigned)(v >> 32);
    } else {
        asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(p)
                     : "memory");
        unsigned e, f, g, h;
        asm volatile("ld.volatile.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(e), "=r"(f), "=r"(g), "=r"(h)
                     : "l"(p + 4)
                     : "memory");
        return a != e || a != b || a != c || a != d || e != f || e != g || e != h;
    }
}

// Writers and readers of the same cells; `SHARED` in one block, else in two.
template <int BYTES, bool SHARED>
__global__ void wide(unsigned *cells, Count *torn, unsigned rounds)
{
    __shared__ __align__(16) unsigned shared[8 * 512];
    bool writes = SHARED ? threadIdx.x < 512 : blockIdx.x % 2 == 0;
    unsigned index = SHARED ? threadIdx.x % 512 : blockIdx.x / 2 * blockDim.x + threadIdx.x;
    unsigned *at = (SHARED ? shared : cells) + index * 8;
    if (SHARED) {
        for (unsigned i = threadIdx.x; i < 8 * 512; i += blockDim.x) {
            shared[i] = 0;
        }
        __syncthreads();
    }
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (writes) {
            wide_store<BYTES>(at, round);
        } else {
            bad += wide_torn<BYTES>(at);
        }
    }
    atomicAdd(torn, bad);
}

template <int BYTES>
static void wides(const char *what)
{
    Device<unsigned> cells(64 * 1024 * 8);
    for (int shared = 0; shared < 2; shared++) {
        Device<Count> torn(1);
        Count reads = 0;
        for (int i = 0; i < repeats; i++) {
            cells.clear();
            if (shared) {
                wide<BYTES, true><<<132, 1024>>>(cells.at, torn.at, 2000);
                reads += 132ull * 512 * 2000;
            } else {
                wide<BYTES, false><<<128, 1024>>>(cells.at, torn.at, 2000);
                reads += 64ull * 1024 * 2000;
            }
            finish(what);
        }
        printf("wide / %s, %s: %llu reads; torn %llu\n", what,
               shared ? "shared memory" : "global memory, two blocks", reads, torn.read()[0]);
    }
}

static void test_bytes()
{
    neighbour<unsigned char>("a char");
    neighbour<unsigned short>("a short");
    Device<Fields> cells(256);
    Device<Count> lost(1);
    for (int i = 0; i < repeats; i++) {
        bit_fields<<<2, 256>>>(cells.at, lost.at, 2000);
        finish("bit-fields");
    }
    printf(
        "neighbours / two bit-fields of one word, set by two blocks: %llu stores; disturbed %llu\n",
        2ull * 256 * 2000 * repeats, lost.read()[0]);
    wides<9>("8 bytes, one number");
    wides<8>("8 bytes, two components");
    wides<16>("16 bytes, four components");
    wides<32>("32 bytes, two stores of 16");
}

// Writes of one value by the threads of half of the blocks: the other half sees the old value or
// that one.
__global__ void same_value(unsigned *cells, unsigned *waiting, Count *seen, unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++) {
        unsigned *at = &cells[(round * 32 + threadIdx.x % 32) * 8];
        meet(&waiting[round], gridDim.x);
        spin(hash32(blockIdx.x * 256 + threadIdx.x + round) & 1023);
        if (blockIdx.x & 1) {
            st<PLAIN>(at, 0xA5C33C5Au);
        } else {
            unsigned v = ld<VOLATILE>(at);
            atomicAdd(&seen[v == 0 ? 0 : v == 0xA5C33C5Au ? 1 : 2], 1ull);
        }
    }
}

static void test_same_value()
{
    Device<unsigned> cells(8 * 32 * 64), waiting(64);
    Device<Count> seen(3);
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        waiting.clear();
        same_value<<<132, 256>>>(cells.at, waiting.at, seen.at, 64);
        finish("same value");
    }
    std::vector<Count> s = seen.read();
    printf("same value / all threads of 66 blocks write it, those of 66 others read: %llu reads; "
           "old %llu, new %llu, other %llu\n",
           s[0] + s[1] + s[2], s[0], s[1], s[2]);
}

// ---- Atomics ------------------------------------------------------------------------------------

__device__ inline unsigned add_cta(unsigned *p, unsigned v)
{
    unsigned old;
    asm volatile("atom.relaxed.cta.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory");
    return old;
}

template <int KIND> // 0 atomicAdd, 1 block scope, 2 load and store, 3 half of the threads each of 0
                    // and 2
                    __global__ void count_up(unsigned *cells, unsigned rounds)
{
    unsigned *at = &cells[threadIdx.x % 32 * 32];
    for (unsigned round = 0; round < rounds; round++) {
        bool plain = KIND == 2 || (KIND == 3 && blockIdx.x % 2);
        if (plain) {
            st<VOLATILE>(at, ld<VOLATILE>(at) + 1);
        } else if (KIND == 1) {
            add_cta(at, 1);
        } else {
            atomicAdd(at, 1);
        }
    }
}

template <int KIND>
static void counts(const char *what)
{
    Device<unsigned> cells(32 * 32);
    Count lost = 0, runs = 0;
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        count_up<KIND><<<132, 128>>>(cells.at, 200);
        finish(what);
        Count total = 0;
        for (unsigned v : cells.read()) {
            total += v;
        }
        runs += 132ull * 128 * 200;
        lost += 132ull * 128 * 200 - total;
    }
    printf("atomics / %s: %llu additions; lost %llu\n", what, runs, lost);
}

// Numbers drawn from one counter; those drawn twice are counted.
template <bool CTA>
__global__ void draw(unsigned *counter, unsigned *drawn)
{
    unsigned ticket = CTA ? add_cta(counter, 1) : atomicAdd(counter, 1);
    atomicAdd(&drawn[ticket], 1);
}

// A plain store to one byte of a word beside atomic operations on the word's other bytes.
__global__ void byte_beside_atomic(unsigned *cells, Count *wrong, unsigned rounds)
{
    unsigned *word = &cells[threadIdx.x];
    volatile unsigned char *byte = (unsigned char *)word + 3;
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (blockIdx.x == 0) {
            *byte = (unsigned char)round;
            bad += *byte != (unsigned char)round;
        } else {
            atomicAdd(word, 1); // stays below 2^24
        }
    }
    atomicAdd(wrong, bad);
}

// Floats in shared memory: atomicAdd is a loop of compare-and-swap there. Does a plain store
// vanish?
template <typename T>
__global__ void store_beside_add(Count *seen, unsigned rounds)
{
    __shared__ T cells[32];
    __shared__ unsigned after[32];
    unsigned t = threadIdx.x % 32;
    Count bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        if (threadIdx.x < 32) {
            cells[t] = 0;
            after[t] = 0;
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            spin(hash32(t + round) & 127);
            *(volatile T *)&cells[t] = 1000;
        } else {
            for (int i = 0; i < 4; i++) {
                atomicAdd(&cells[t], (T)1);
            }
        }
        __syncthreads();
        // The store comes somewhere among the additions: 1000 to 1000 + all of them.
        if (threadIdx.x < 32) {
            bad += cells[t] < 1000 || cells[t] > 1000 + 4 * (blockDim.x / 32 - 1);
        }
        __syncthreads();
    }
    atomicAdd(seen, bad);
}

static void test_atomics()
{
    counts<0>("atomicAdd by all blocks");
    counts<1>("additions in block scope, by all blocks");
    counts<2>("volatile load, store, by all blocks");
    counts<3>("half of the blocks atomicAdd, half volatile load and store");
    for (int cta = 0; cta < 2; cta++) {
        Count twice = 0, runs = 0;
        Device<unsigned> counter(1), drawn(264 * 256);
        for (int i = 0; i < repeats; i++) {
            counter.clear();
            drawn.clear();
            if (cta) {
                draw<true><<<264, 256>>>(counter.at, drawn.at);
            } else {
                draw<false><<<264, 256>>>(counter.at, drawn.at);
            }
            finish("draw");
            for (unsigned n : drawn.read()) {
                twice += n > 1;
                runs += n;
            }
        }
        printf("atomics / numbers drawn from a counter%s: %llu runs; drawn twice %llu\n",
               cta ? " in block scope, by all blocks" : "", runs, twice);
    }
    Device<unsigned> cells(256);
    Device<Count> wrong(1);
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        byte_beside_atomic<<<2, 256>>>(cells.at, wrong.at, 2000);
        finish("byte beside atomic");
    }
    printf("atomics / plain store of a byte beside atomicAdd on its word: %llu stores; disturbed "
           "%llu\n",
           256ull * 2000 * repeats, wrong.read()[0]);
    wrong.clear();
    for (int i = 0; i < repeats; i++) {
        store_beside_add<unsigned><<<132, 256>>>(wrong.at, 500);
        finish("store beside add");
    }
    printf(
        "atomics / plain store beside atomicAdd(int), shared memory: %llu runs; store lost %llu\n",
        132ull * 32 * 500 * repeats, wrong.read()[0]);
    wrong.clear();
    for (int i = 0; i < repeats; i++) {
        store_beside_add<float><<<132, 256>>>(wrong.at, 500);
        finish("store beside add");
    }
    printf("atomics / plain store beside atomicAdd(float), shared memory: %llu runs; store lost "
           "%llu\n",
           132ull * 32 * 500 * repeats, wrong.read()[0]);
}

// ---- The last block adds ------------------------------------------------------------------------

enum Last {
    NO_FENCE,
    WRITERS_FENCE,
    BOTH_FENCE,
    ALL_FENCE_THEN_BARRIER,
    BARRIER_THEN_LEADER_FENCES,
    BLOCK_FENCES
};

template <Last L>
__global__ void last_block(unsigned *parts, unsigned *ticket, Count *wrong, unsigned round)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x, n = gridDim.x * blockDim.x;
    unsigned old = ld<PLAIN>(&parts[(blockIdx.x * blockDim.x + t + 4099) % n]); // into the cache
    asm volatile("" ::"r"(old));
    st<PLAIN>(&parts[blockIdx.x * blockDim.x + t], round);
    if (L == WRITERS_FENCE || L == BOTH_FENCE || L == ALL_FENCE_THEN_BARRIER) {
        __threadfence();
    } else if (L == BLOCK_FENCES) {
        __threadfence_block();
    }
    __syncthreads();
    if (t == 0) {
        if (L == BARRIER_THEN_LEADER_FENCES) {
            __threadfence();
        }
        is_last = atomicAdd(ticket, 1) % gridDim.x == gridDim.x - 1;
        if (L == BARRIER_THEN_LEADER_FENCES) {
            __threadfence();
        }
    }
    __syncthreads();
    if (is_last) {
        if (L == BOTH_FENCE || L == ALL_FENCE_THEN_BARRIER) {
            __threadfence();
        } else if (L == BLOCK_FENCES) {
            __threadfence_block();
        }
        Count bad = 0;
        for (unsigned i = t; i < n; i += blockDim.x) {
            bad += ld<PLAIN>(&parts[i]) != round;
        }
        atomicAdd(&wrong[0], bad);
        if (bad) {
            wrong[1] = round;
        }
    }
}

template <Last L>
static void last(const char *what)
{
    unsigned launches = 50 * repeats, wrong_launches = 0;
    Device<unsigned> parts(264 * 256), ticket(1);
    Device<Count> wrong(2);
    Count before = 0;
    for (unsigned round = 1; round <= launches; round++) {
        last_block<L><<<264, 256>>>(parts.at, ticket.at, wrong.at, round);
        finish(what);
        Count now = 0;
        CHECK(cudaMemcpy(&now, wrong.at, 8, cudaMemcpyDeviceToHost));
        wrong_launches += now != before;
        before = now;
    }
    printf(
        "last block / %s: %u launches; launches with a stale part %u, stale parts %llu of %llu\n",
        what, launches, wrong_launches, before, 264ull * 256 * launches);
}

static void test_last_block()
{
    last<NO_FENCE>("no fence");
    last<BLOCK_FENCES>("__threadfence_block before and after");
    last<WRITERS_FENCE>("__threadfence of the writers only");
    last<BOTH_FENCE>("__threadfence of writers and readers");
    last<BARRIER_THEN_LEADER_FENCES>("barrier, leader fences around its atomicAdd, barrier");
}

// ---- grid.sync() and hand-made barriers of the grid ---------------------------------------------

template <bool SYNC>
__global__ void whole_grid(unsigned *cells, Count *stale, unsigned rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    unsigned n = gridDim.x * blockDim.x, g = blockIdx.x * blockDim.x + threadIdx.x;
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        unsigned from = (g + 257 * round) % n;
        unsigned old = ld<PLAIN>(&cells[from]);
        asm volatile("" ::"r"(old));
        grid.sync();
        st<PLAIN>(&cells[g], round);
        if (SYNC) {
            grid.sync();
        }
        bad += ld<PLAIN>(&cells[from]) != round;
        grid.sync();
    }
    atomicAdd(stale, bad);
}

static void test_grid_sync()
{
    Device<unsigned> cells(132 * 256);
    Device<Count> stale(1);
    unsigned rounds = 500;
    void *arguments[] = {&cells.at, &stale.at, &rounds};
    for (int sync = 1; sync >= 0; sync--) {
        stale.clear();
        for (int i = 0; i < repeats; i++) {
            cells.clear();
            CHECK(cudaLaunchCooperativeKernel(sync ? (void *)whole_grid<true>
                                                   : (void *)whole_grid<false>,
                                              dim3(132), dim3(256), arguments, 0, 0));
            finish("grid.sync");
        }
        printf("grid / %s, plain accesses, cached before: %llu runs; stale %llu\n",
               sync ? "grid.sync()" : "no barrier", 132ull * 256 * rounds * repeats,
               stale.read()[0]);
    }
}

// ---- The read-only cache ------------------------------------------------------------------------

// LDG through the non-coherent path after the own store to that place.
__global__ void read_only(unsigned *cells, Count *seen, unsigned rounds)
{
    unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    Count stale = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        unsigned v, w;
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(&cells[g]));
        asm volatile("" ::"r"(v));
        st<PLAIN>(&cells[g], round);
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(w) : "l"(&cells[g]));
        stale += w != round;
    }
    atomicAdd(&seen[0], stale);
}

// The same across a barrier of the block.
__global__ void read_only_barrier(unsigned *cells, Count *seen, unsigned rounds)
{
    unsigned base = blockIdx.x * blockDim.x, t = threadIdx.x;
    Count stale = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        unsigned v, w, from = base + (t + 33) % blockDim.x;
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(&cells[from]));
        asm volatile("" ::"r"(v));
        __syncthreads();
        st<PLAIN>(&cells[base + t], round);
        __syncthreads();
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(w) : "l"(&cells[from]));
        stale += w != round;
        __syncthreads();
    }
    atomicAdd(&seen[1], stale);
}

// The same for a write of another block, behind fences that order it.
__global__ void read_only_fences(unsigned *cells, unsigned *flags, Count *seen)
{
    unsigned g = blockIdx.x / 2 * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2 == 0) {
        spin(20000);
        st<PLAIN>(&cells[g], 1);
        __threadfence();
        st<RELAXED_GPU>(&flags[g], 1);
    } else {
        unsigned v, w;
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(&cells[g]));
        asm volatile("" ::"r"(v));
        long long start = clock64();
        while (ld<RELAXED_GPU>(&flags[g]) == 0 && clock64() - start < 10000000) {
        }
        __threadfence();
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(w) : "l"(&cells[g]));
        atomicAdd(&seen[2], (Count)(w != 1));
    }
}

static void test_read_only()
{
    Device<unsigned> cells(264 * 256), flags(264 * 256);
    Device<Count> seen(3);
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        read_only<<<264, 256>>>(cells.at, seen.at, 200);
        finish("read-only");
        cells.clear();
        read_only_barrier<<<264, 256>>>(cells.at, seen.at, 200);
        finish("read-only");
        cells.clear();
        flags.clear();
        read_only_fences<<<128, 256>>>(cells.at, flags.at, seen.at);
        finish("read-only");
    }
    std::vector<Count> s = seen.read();
    printf("read-only cache / ld.global.nc after the own store: %llu runs; stale %llu\n",
           264ull * 256 * 200 * repeats, s[0]);
    printf("read-only cache / ld.global.nc of a neighbour's cell after __syncthreads: %llu runs; "
           "stale %llu\n",
           264ull * 256 * 200 * repeats, s[1]);
    printf("read-only cache / ld.global.nc of another block's cell behind flag and fences: %llu "
           "runs; stale %llu\n",
           64ull * 256 * repeats, s[2]);
}

// ---- Barriers of the block: who is counted ------------------------------------------------------

// Half of the lanes of each warp, or whole warps, have returned.
__global__ void exited(unsigned *out, bool lanes)
{
    __shared__ unsigned cells[128];
    unsigned t = threadIdx.x;
    if (lanes ? t % 2 : t >= 64) {
        return;
    }
    cells[t] = t + 1;
    __syncthreads();
    unsigned step = lanes ? 2 : 1;
    out[t] = cells[(t + step) % (lanes ? 128 : 64)];
}

// A barrier; the number is always 0, and differs so that the compiler keeps two places apart.
template <bool ALIGNED>
__device__ inline void barrier_number(unsigned number)
{
    if (ALIGNED) {
        asm volatile("bar.sync %0;" ::"r"(number) : "memory");
    } else {
        asm volatile("barrier.sync %0;" ::"r"(number) : "memory");
    }
}

// The whole block meets, but half of warp 0 stays away until the others have passed, or until it
// gives up. `out[0]` says whether warp 1 passed without them.
template <bool ALIGNED>
__global__ void half_warp_arrives(unsigned *out, unsigned zero)
{
    __shared__ volatile unsigned passed;
    unsigned t = threadIdx.x;
    if (t == 0) {
        passed = 0;
    }
    __syncthreads();
    if (t < 16) {
        long long start = clock64();
        while (!passed && clock64() - start < 20000000) {
        }
        out[0] = passed ? 1 : 2;
        __threadfence_system();
        barrier_number<ALIGNED>(zero);
    } else {
        barrier_number<ALIGNED>(0);
        if (t == 32) {
            passed = 1;
        }
        out[1] = 1;
    }
}

// Both branches of a warp have a barrier of their own.
template <bool ALIGNED>
__global__ void two_places(unsigned *out, unsigned zero)
{
    __shared__ volatile unsigned cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t + 1;
    if (t % 2) {
        barrier_number<ALIGNED>(zero);
        out[t] = cells[(t + 33) % 64];
    } else {
        spin(1000);
        barrier_number<ALIGNED>(0);
        out[t] = cells[(t + 33) % 64] + 100;
    }
}

// A thread passes three barriers, the others two: it waits for ever, or somebody's exit counts.
__global__ void one_more(unsigned *out)
{
    unsigned t = threadIdx.x;
    __syncthreads();
    if (t < 32) {
        __syncthreads();
        out[t] = 1;
    } else {
        spin(100000);
    }
    __syncthreads();
    if (t < 32) {
        out[t] = 2;
    }
}

// Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2.
__global__ void named(unsigned *global, Count *stale, unsigned rounds)
{
    __shared__ unsigned cells[128];
    unsigned t = threadIdx.x, half = t / 64;
    unsigned *mine = global + blockIdx.x * 128;
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        unsigned from = half * 64 + (t + 32) % 64;
        unsigned old = ld<PLAIN>(&mine[from]);
        asm volatile("" ::"r"(old));
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        spin(hash32(t / 32 + round) & 255);
        st<PLAIN>(&cells[t], round);
        st<PLAIN>(&mine[t], round);
        asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
        bad += ld<PLAIN>(&cells[from]) != round;
        bad += ld<PLAIN>(&mine[from]) != round;
    }
    atomicAdd(stale, bad);
}

// Warp 0 produces and arrives, warp 1 waits, and gives the cells back through another barrier.
__global__ void produce(Count *stale, unsigned rounds)
{
    __shared__ unsigned cells[32];
    unsigned t = threadIdx.x;
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (t < 32) {
            spin(hash32(round) & 127);
            st<PLAIN>(&cells[t], round);
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            bad += ld<PLAIN>(&cells[(t + 7) % 32]) != round;
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
    atomicAdd(stale, bad);
}

// A count that is no multiple of the warp size: 48 of 64 threads.
__global__ void odd_count(unsigned *out, unsigned count)
{
    unsigned t = threadIdx.x;
    if (t < count) {
        asm volatile("barrier.sync 1, %0;" ::"r"(count) : "memory");
        out[t] = 1;
    }
}

// A part of a warp at a named barrier: 16 lanes each of two warps, which the count names as 64. The
// others wait until these have passed, or give up.
__global__ void half_warps_named(unsigned *out)
{
    __shared__ volatile unsigned passed;
    unsigned t = threadIdx.x;
    passed = 0;
    __syncthreads();
    if (t % 32 < 16) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        passed = 1;
        out[t] = 1;
    } else {
        long long start = clock64();
        while (!passed && clock64() - start < 20000000) {
        }
        out[t] = passed ? 1 : 2;
    }
}

// __syncthreads_count and the like when lanes have returned.
__global__ void counting(int *out)
{
    unsigned t = threadIdx.x;
    if (t % 4 == 3) {
        return;
    }
    int n = __syncthreads_count(1);
    int a = __syncthreads_and(t != 3);
    if (t == 0) {
        out[0] = n;
        out[1] = a;
    }
}

static void show(const char *what, const std::vector<unsigned> &values, size_t n)
{
    printf("%s:", what);
    for (size_t i = 0; i < n; i++) {
        printf(" %u", values[i]);
    }
    printf("\n");
    fflush(stdout);
}

static void test_exited()
{
    for (int lanes = 0; lanes < 2; lanes++) {
        unsigned long long good = 0, runs = 0;
        for (int i = 0; i < repeats * 10; i++) {
            Device<unsigned> out(128);
            exited<<<1, 128>>>(out.at, lanes);
            finish("exited");
            std::vector<unsigned> o = out.read();
            for (unsigned t = 0; t < 128; t += lanes ? 2 : 1) {
                if (lanes || t < 64) {
                    runs++;
                    good += o[t] == (lanes ? (t + 2) % 128 : (t + 1) % 64) + 1;
                }
            }
        }
        printf("exited / __syncthreads after %s returned: %d launches, all went on; right values "
               "%llu of %llu\n",
               lanes ? "every second lane" : "two of four warps", repeats * 10, good, runs);
    }
    Device<int> out(2);
    counting<<<1, 128>>>(out.at);
    finish("counting");
    std::vector<int> o = out.read();
    printf("exited / __syncthreads_count(1) of 128 threads after 32 returned: %d; "
           "__syncthreads_and(t != 3): %d\n",
           o[0], o[1]);
}

// Cells that the host can read while a kernel hangs.
struct Mapped {
    volatile unsigned *host;
    unsigned *at;
    explicit Mapped(size_t n)
    {
        void *memory;
        CHECK(cudaHostAlloc(&memory, n * 4, cudaHostAllocMapped));
        memset(memory, 0, n * 4);
        host = (unsigned *)memory;
        CHECK(cudaHostGetDevicePointer((void **)&at, memory, 0));
    }
};

// Waits for two seconds, and says whether the kernel has ended.
static bool ended()
{
    CHECK(cudaGetLastError());
    auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(0) == cudaErrorNotReady) {
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (passed.count() > 2) {
            return false;
        }
    }
    CHECK(cudaGetLastError());
    return true;
}

template <bool ALIGNED>
static void half_warp()
{
    Mapped out(4);
    half_warp_arrives<ALIGNED><<<1, 64>>>(out.at, 0);
    bool end = ended();
    printf("divergent / %s while 16 of 64 threads stay away: the other 48 %s; after that the "
           "kernel %s\n",
           ALIGNED ? "bar.sync 0" : "barrier.sync 0",
           out.host[0] == 1 ? "passed" : "waited for them", end ? "ended" : "hung");
    fflush(stdout);
    _exit(end ? 0 : 9);
}

static void test_half_warp_aligned()
{
    half_warp<true>();
}
static void test_half_warp()
{
    half_warp<false>();
}

static void two_places_result(const char *what, const std::vector<unsigned> &o)
{
    unsigned right = 0;
    for (unsigned t = 0; t < 64; t++) {
        right += o[t] == (t + 33) % 64 + 1 + (t % 2 ? 0 : 100);
    }
    printf("divergent / %s in either branch of a warp: went on; right values %u of 64\n", what,
           right);
}

static void test_two_places_aligned()
{
    Device<unsigned> out(64);
    two_places<true><<<1, 64>>>(out.at, 0);
    finish("divergent / bar.sync in either branch of a warp", 3);
    two_places_result("bar.sync", out.read());
}

static void test_two_places()
{
    Device<unsigned> out(64);
    two_places<false><<<1, 64>>>(out.at, 0);
    finish("divergent / barrier.sync in either branch of a warp", 3);
    two_places_result("barrier.sync", out.read());
}

static void test_one_more()
{
    Device<unsigned> out(32);
    one_more<<<1, 64>>>(out.at);
    finish("divergent / a warp passes one barrier more than the other", 3);
    std::vector<unsigned> o = out.read();
    printf("divergent / a warp passes one barrier more than the other: went on; it passed %s\n",
           o[0] == 2 ? "all three" : "two");
}

static void test_named()
{
    Device<unsigned> cells(132 * 128);
    Device<Count> stale(1);
    for (int i = 0; i < repeats; i++) {
        cells.clear();
        named<<<132, 128>>>(cells.at, stale.at, 1000);
        finish("named");
    }
    printf("named / bar.sync 1 and 2 with 64 of 128 threads, shared and global memory: %llu runs; "
           "stale %llu\n",
           132ull * 128 * 1000 * repeats, stale.read()[0]);
    stale.clear();
    for (int i = 0; i < repeats; i++) {
        produce<<<132, 64>>>(stale.at, 1000);
        finish("produce");
    }
    printf("named / bar.arrive of a producing warp, bar.sync of a consuming one: %llu runs; stale "
           "%llu\n",
           132ull * 32 * 1000 * repeats, stale.read()[0]);
}

static void test_odd_count()
{
    Device<unsigned> out(64);
    odd_count<<<1, 64>>>(out.at, 48);
    finish("named / barrier.sync 1, 48", 3);
    show("named / barrier.sync 1, 48 by 48 threads: went on", out.read(), 0);
}

static void test_half_warps_named()
{
    Mapped out(64);
    half_warps_named<<<1, 64>>>(out.at);
    bool end = ended();
    printf("named / barrier.sync 1, 64 by 16 lanes each of two warps while the others stay: these "
           "%s; the kernel %s\n",
           out.host[16] == 1 ? "passed" : "waited", end ? "ended" : "hung");
    fflush(stdout);
    _exit(end ? 0 : 9);
}

// ---- Warp functions and their masks -------------------------------------------------------------

__global__ void shuffles(unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned value = 1000 + t;
    // Lane 20 takes part, but the mask of the others does not name it.
    if (t < 16) {
        out[t] = __shfl_sync(0xffff, value, 20);
    }
    __syncwarp();
    if (t < 16) {
        out[32 + t] = __shfl_sync(0xffff, value, t + 1); // lane 15 reads lane 16
    }
    __syncwarp();
    if (t >= 16) {
        return;
    }
    // Lanes from 16 have returned. The mask names them all the same.
    out[64 + t] = __shfl_sync(0xffffffff, value + 1000, 20);
    out[96 + t] = __shfl_down_sync(0xffffffff, value + 2000, 8);
    out[128 + t] = __ballot_sync(0xffffffff, 1);
    out[160 + t] = __reduce_add_sync(0xffffffff, 1u);
    out[192 + t] = __any_sync(0xffffffff, t == 20);
}

static void test_shuffles()
{
    Device<unsigned> out(224);
    shuffles<<<1, 32>>>(out.at);
    finish("shuffles", 3);
    std::vector<unsigned> o = out.read();
    auto part = [&](int from) {
        return std::vector<unsigned>(o.begin() + from, o.begin() + from + 16);
    };
    show("warp / __shfl_sync(0xffff, 1000 + lane, 20), lane 20 elsewhere", part(0), 16);
    show("warp / __shfl_sync(0xffff, 1000 + lane, lane + 1)", part(32), 16);
    show("warp / __shfl_sync(all, 2000 + lane, 20), lanes from 16 have returned", part(64), 16);
    show("warp / __shfl_down_sync(all, 3000 + lane, 8), lanes from 16 have returned", part(96), 16);
    show("warp / __ballot_sync(all, 1), lanes from 16 have returned", part(128), 2);
    show("warp / __reduce_add_sync(all, 1), lanes from 16 have returned", part(160), 2);
    show("warp / __any_sync(all, lane == 20), lanes from 16 have returned", part(192), 2);
}

// Lanes that a mask names, and that do not come: they are in another branch, and wait there for
// those that do. `out` says who passed first.
template <int KIND> // 0 __syncwarp, 1 shuffle, 2 ballot, 3 reduction
__global__ void lane_missing(unsigned *out)
{
    __shared__ volatile unsigned passed;
    unsigned t = threadIdx.x;
    passed = 0;
    __syncwarp();
    if (t < 16) {
        unsigned v = 0;
        if (KIND == 0) {
            __syncwarp(0xffffffff);
        } else if (KIND == 1) {
            v = __shfl_sync(0xffffffff, 1000 + t, 20);
        } else if (KIND == 2) {
            v = __ballot_sync(0xffffffff, 1);
        } else {
            v = __reduce_add_sync(0xffffffff, 1u);
        }
        passed = 1;
        out[t] = 1 + v;
    } else {
        long long start = clock64();
        while (!passed && clock64() - start < 20000000) {
        }
        out[t] = passed;
    }
}

template <int KIND>
static void missing(const char *what)
{
    char name[200];
    snprintf(name, sizeof name,
             "warp / %s with all lanes in the mask while 16 of them loop elsewhere", what);
    Device<unsigned> out(32);
    lane_missing<KIND><<<1, 32>>>(out.at);
    finish(name, 3);
    std::vector<unsigned> o = out.read();
    printf("%s: the others %s; result %u\n", name, o[16] ? "passed" : "waited until these returned",
           o[0] - 1);
}

// Two halves at the same place in the code with different masks that do not overlap, and then with
// masks that do.
__global__ void masks(unsigned *out, bool overlap)
{
    unsigned t = threadIdx.x;
    unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;
    if (overlap && t < 16) {
        mask = 0xffffffffu;
    }
    __syncwarp(mask);
    out[t] = 1;
}

// A lane executes with a mask that does not name it.
__global__ void not_named(unsigned *out)
{
    unsigned t = threadIdx.x;
    out[t] = __ballot_sync(0xffff, t % 2);
    __syncwarp(0xffff);
    out[32 + t] = __shfl_sync(0xffff, 1000 + t, 3);
}

// Both branches of a warp have a __syncwarp of their own.
__global__ void syncwarp_two_places(unsigned *out)
{
    __shared__ volatile unsigned cells[32];
    unsigned t = threadIdx.x;
    cells[t] = 0;
    __syncwarp();
    if (t % 2) {
        cells[t] = t + 1;
        __syncwarp();
        out[t] = cells[t ^ 1];
    } else {
        spin(1000);
        cells[t] = t + 1;
        __syncwarp();
        out[t] = cells[t ^ 1] + 100;
    }
}

static void test_missing_syncwarp()
{
    missing<0>("__syncwarp");
}
static void test_missing_shuffle()
{
    missing<1>("__shfl_sync from lane 20");
}
static void test_missing_ballot()
{
    missing<2>("__ballot_sync");
}
static void test_missing_reduce()
{
    missing<3>("__reduce_add_sync");
}

static void test_masks()
{
    Device<unsigned> out(32);
    masks<<<1, 32>>>(out.at, false);
    finish("warp / __syncwarp with two masks that do not overlap", 3);
    printf("warp / __syncwarp at one place with masks 0xffff and 0xffff0000: went on\n");
}

static void test_masks_overlap()
{
    Device<unsigned> out(32);
    masks<<<1, 32>>>(out.at, true);
    finish("warp / __syncwarp with masks 0xffffffff and 0xffff0000", 3);
    printf("warp / __syncwarp at one place with masks 0xffffffff and 0xffff0000: went on\n");
}

static void test_not_named()
{
    Device<unsigned> out(64);
    not_named<<<1, 32>>>(out.at);
    finish("warp / a lane that its mask does not name", 3);
    std::vector<unsigned> o = out.read();
    printf("warp / __ballot_sync(0xffff, lane %% 2) by all lanes: went on; lane 0 gets %x, lane 20 "
           "gets %x; "
           "__shfl_sync(0xffff, 1000 + lane, 3): lane 0 gets %u, lane 20 gets %u\n",
           o[0], o[20], o[32], o[52]);
}

static void test_syncwarp_two_places()
{
    Device<unsigned> out(32);
    syncwarp_two_places<<<1, 32>>>(out.at);
    finish("warp / __syncwarp in either branch", 3);
    std::vector<unsigned> o = out.read();
    unsigned right = 0;
    for (unsigned t = 0; t < 32; t++) {
        right += o[t] == (t ^ 1) + 1 + (t % 2 ? 0 : 100);
    }
    printf("warp / __syncwarp of all lanes in either branch: went on; right values %u of 32\n",
           right);
}

// ---- Asynchronous copies and mbarriers ----------------------------------------------------------

__device__ inline unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

enum Wait { NO_WAIT, OWN_WAIT, WAIT_AND_BARRIER, BARRIER_ONLY };

template <Wait W, bool NEIGHBOUR>
__global__ void copy_async(const uint4 *in, Count *stale, unsigned rounds)
{
    __shared__ uint4 cells[256];
    unsigned t = threadIdx.x;
    Count bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        cells[t] = make_uint4(0, 0, 0, 0);
        __syncthreads();
        const uint4 *from = in + ((size_t)(round * 977 + blockIdx.x) * 256 + t) % (1 << 20);
        spin(hash32(round + t / 32) & 127);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&cells[t])),
                     "l"(from)
                     : "memory");
        if (W == OWN_WAIT || W == WAIT_AND_BARRIER) {
            asm volatile("cp.async.wait_all;" ::: "memory");
        }
        if (W == BARRIER_ONLY || W == WAIT_AND_BARRIER) {
            __syncthreads();
        }
        unsigned at = NEIGHBOUR ? (t + 32) % 256 : t;
        bad += ((volatile uint4 *)cells)[at].x != 7;
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
    }
    atomicAdd(stale, bad);
}

template <Wait W, bool NEIGHBOUR>
static void copies(const char *what)
{
    static Device<uint4> in(1 << 20);
    std::vector<uint4> sevens(1 << 20, make_uint4(7, 7, 7, 7));
    CHECK(cudaMemcpy(in.at, sevens.data(), sevens.size() * 16, cudaMemcpyHostToDevice));
    Device<Count> stale(1);
    for (int i = 0; i < repeats; i++) {
        copy_async<W, NEIGHBOUR><<<132, 256>>>(in.at, stale.at, 200);
        finish(what);
    }
    printf("cp.async / %s: %llu runs; stale %llu\n", what, 132ull * 256 * 200 * repeats,
           stale.read()[0]);
}

__device__ inline void mbarrier_wait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], "
                 "%1;\n@!p bra again;\n}\n" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

template <bool WAIT>
__global__ void arrive_and_wait(Count *stale, unsigned rounds)
{
    __shared__ unsigned long long barrier[2];
    __shared__ unsigned cells[128];
    unsigned t = threadIdx.x;
    unsigned full = shared_address(&barrier[0]), empty = shared_address(&barrier[1]);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(full) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(empty) : "memory");
    }
    __syncthreads();
    Count bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        spin(hash32(round + t / 32) & 127);
        st<PLAIN>(&cells[t], round + 1);
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(full)
                     : "memory");
        if (WAIT) {
            mbarrier_wait(full, round & 1);
        }
        bad += ld<PLAIN>(&cells[(t + 33) % 128]) != round + 1;
        if (!WAIT) {
            mbarrier_wait(full, round & 1);
        }
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                     : "=l"(state)
                     : "r"(empty)
                     : "memory");
        mbarrier_wait(empty, round & 1);
    }
    atomicAdd(stale, bad);
}

template <bool WAIT>
__global__ void copy_bulk(const uint4 *in, Count *stale, unsigned rounds)
{
    __shared__ __align__(128) uint4 cells[256];
    __shared__ unsigned long long barrier;
    unsigned t = threadIdx.x, full = shared_address(&barrier);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    Count bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        cells[t] = make_uint4(0, 0, 0, 0);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            const uint4 *from = in + (size_t)(round * 977 + blockIdx.x) * 256 % (1 << 20);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(full)
                         : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], 4096, [%2];" ::"r"(shared_address(cells)),
                         "l"(from), "r"(full)
                         : "memory");
        }
        if (WAIT) {
            mbarrier_wait(full, round & 1);
        } else {
            __syncthreads();
        }
        bad += ((volatile uint4 *)cells)[(t + 33) % 256].x != 7;
        mbarrier_wait(full, round & 1);
        __syncthreads();
    }
    atomicAdd(stale, bad);
}

static void test_copies()
{
    copies<NO_WAIT, false>("own cell, no wait");
    copies<OWN_WAIT, false>("own cell, cp.async.wait_all");
    copies<OWN_WAIT, true>("a neighbour's cell, cp.async.wait_all, no barrier");
    copies<BARRIER_ONLY, true>("a neighbour's cell, __syncthreads, no wait");
    copies<BARRIER_ONLY, false>("own cell, __syncthreads, no wait");
    copies<WAIT_AND_BARRIER, true>("a neighbour's cell, cp.async.wait_all and __syncthreads");
}

static void test_mbarrier()
{
    Device<Count> stale(1);
    for (int wait = 1; wait >= 0; wait--) {
        stale.clear();
        for (int i = 0; i < repeats; i++) {
            if (wait) {
                arrive_and_wait<true><<<132, 128>>>(stale.at, 1000);
            } else {
                arrive_and_wait<false><<<132, 128>>>(stale.at, 1000);
            }
            finish("mbarrier");
        }
        printf("mbarrier / a neighbour's cell, arrive%s: %llu runs; stale %llu\n",
               wait ? " and wait" : ", no wait", 132ull * 128 * 1000 * repeats, stale.read()[0]);
    }
}

static void test_bulk()
{
    Device<uint4> in((1 << 20) + 256);
    std::vector<uint4> sevens(in.count, make_uint4(7, 7, 7, 7));
    CHECK(cudaMemcpy(in.at, sevens.data(), sevens.size() * 16, cudaMemcpyHostToDevice));
    Device<Count> stale(1);
    for (int wait = 1; wait >= 0; wait--) {
        stale.clear();
        for (int i = 0; i < repeats; i++) {
            if (wait) {
                copy_bulk<true><<<132, 256>>>(in.at, stale.at, 200);
            } else {
                copy_bulk<false><<<132, 256>>>(in.at, stale.at, 200);
            }
            finish("bulk");
        }
        printf("cp.async.bulk / %s: %llu runs; stale %llu\n",
               wait ? "wait on the mbarrier" : "__syncthreads, no wait",
               132ull * 256 * 200 * repeats, stale.read()[0]);
    }
}

// ---- Questions of pipelines ---------------------------------------------------------------------

// Three warps name barrier 1 with counts that contradict each other. The first names 64.
__global__ void other_counts(unsigned *out, unsigned second, bool arrive)
{
    unsigned warp = threadIdx.x / 32;
    if (warp == 0) {
        if (arrive) {
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
        }
    } else {
        spin(warp * 100000);
        asm volatile("bar.sync 1, %0;" ::"r"(second) : "memory");
    }
    out[threadIdx.x] = 1;
}

template <unsigned SECOND, bool ARRIVE>
static void test_counts()
{
    char name[100];
    snprintf(name, sizeof name, "bar.%s 1, 64, then bar.sync 1, %u by two warps",
             ARRIVE ? "arrive" : "sync", SECOND);
    printf("%s: ", name);
    Device<unsigned> out(96);
    other_counts<<<1, 96>>>(out.at, SECOND, ARRIVE);
    finish(name, 3);
    printf("went on\n");
}

// The answers of a wait by parity after 0 to 7 completed phases: bit 2n for parity 0, bit 2n + 1 for
// parity 1. The second word has those of try_wait.
__global__ void parities(unsigned *out, unsigned never)
{
    __shared__ unsigned long long barrier;
    unsigned b = shared_address(&barrier), tests = 0, tries = 0;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
    for (unsigned n = 0; n < 8; n++) {
        for (unsigned parity = 0; parity < 2; parity++) {
            unsigned done;
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p;\n}\n"
                         : "=r"(done)
                         : "r"(b), "r"(parity)
                         : "memory");
            tests |= done << (2 * n + parity);
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                         "selp.u32 %0, 1, 0, p;\n}\n"
                         : "=r"(done)
                         : "r"(b), "r"(parity)
                         : "memory");
            tries |= done << (2 * n + parity);
        }
        // The dependence keeps the arrival behind the answers: a try_wait that sleeps is answered
        // after a later arrival of the same thread.
        if (tests + tries != never) {
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
        }
    }
    out[0] = tests;
    out[1] = tries;
}

static void test_parity()
{
    Device<unsigned> out(2);
    unsigned same = 0, runs = 0;
    std::vector<unsigned> o;
    for (int i = 0; i < repeats; i++, runs++) {
        parities<<<1, 1>>>(out.at, ~0u);
        finish("parity");
        o = out.read();
        same += o[0] == 0x6666 && o[1] == 0x6666;
    }
    printf("mbarrier parity / after n phases, parity p is complete if and only if n + p is odd: %u of "
           "%u launches; last answers %x %x\n",
           same, runs, o[0], o[1]);
}

// One thread's barrier expects other bytes than its copy of 4,096 has.
__global__ void copy_expect(const uint4 *in, Count *seen, unsigned bytes, unsigned rounds)
{
    __shared__ __align__(128) uint4 cells[256];
    __shared__ unsigned long long barrier;
    unsigned full = shared_address(&barrier);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < 256; i++) {
            cells[i] = make_uint4(0, 0, 0, 0);
        }
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        const uint4 *from = in + (size_t)(round * 977 + blockIdx.x) * 256 % (1 << 20);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(bytes)
                     : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                     "[%1], 4096, [%2];" ::"r"(shared_address(cells)),
                     "l"(from), "r"(full)
                     : "memory");
        unsigned done = 0;
        for (long long start = clock64(); !done && clock64() - start < 100000;) {
            asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                         "selp.u32 %0, 1, 0, p;\n}\n"
                         : "=r"(done)
                         : "r"(full)
                         : "memory");
        }
        unsigned stale = 0;
        for (unsigned i = 0; i < 256; i++) {
            stale += ((volatile uint4 *)cells)[i].x != 7;
        }
        atomicAdd(&seen[0], done);
        atomicAdd(&seen[1], done && stale);
        spin(20000);
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(full) : "memory");
    }
}

static void test_expect()
{
    Device<uint4> in((1 << 20) + 256);
    std::vector<uint4> sevens(in.count, make_uint4(7, 7, 7, 7));
    CHECK(cudaMemcpy(in.at, sevens.data(), sevens.size() * 16, cudaMemcpyHostToDevice));
    for (unsigned bytes : {4096, 4080, 4112, 4064, 3968, 2048}) {
        Device<Count> seen(2);
        for (int i = 0; i < repeats; i++) {
            copy_expect<<<132, 1>>>(in.at, seen.at, bytes, 20);
            finish("expect", 20);
        }
        printf("expect_tx / %u bytes for a copy of 4,096: %u copies; phase complete %llu, of these with "
               "stale cells %llu\n",
               bytes, 132 * 20 * repeats, seen.read()[0], seen.read()[1]);
    }
}

// A ring of two buffers that one thread fills by bulk copies. 128 threads read a cell each and
// arrive, and the thread copies into the buffer again.
enum Between { ARRIVE_ONLY, VALUE_THERE, FENCE_PROXY, BARRIER };

template <Between B, bool GENERIC>
__global__ void copy_again(const unsigned *in, Count *other, unsigned rounds)
{
    __shared__ __align__(128) unsigned ring[2][128];
    __shared__ unsigned long long barriers[4];
    unsigned t = threadIdx.x;
    if (t == 0) {
        for (unsigned i = 0; i < 4; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barriers[i])),
                         "r"(i < 2 || B == BARRIER ? 1 : 128)
                         : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 128) {
        for (unsigned k = 0; k < rounds; k++) {
            unsigned full = shared_address(&barriers[k % 2]);
            mbarrier_wait(shared_address(&barriers[2 + k % 2]), k / 2 % 2 ^ 1);
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(full)
                         : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], 512, [%2];" ::"r"(shared_address(ring[k % 2])),
                         "l"(in + k * 128), "r"(full)
                         : "memory");
        }
    } else if (t < 128) {
        Count next = 0, bad = 0;
        for (unsigned k = 0; k < rounds; k++) {
            mbarrier_wait(shared_address(&barriers[k % 2]), k / 2 % 2);
            unsigned v, *cell = &ring[k % 2][t * 5 % 128];
            if (GENERIC) {
                v = ld<PLAIN>(cell);
            } else {
                asm volatile("ld.shared.u32 %0, [%1];"
                             : "=r"(v)
                             : "r"(shared_address(cell))
                             : "memory");
            }
            if (B == VALUE_THERE && v == ~0u) {
                break;
            }
            if (B == FENCE_PROXY) {
                asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            }
            if (B == BARRIER) {
                asm volatile("bar.sync 1, 128;" ::: "memory");
            }
            if (B != BARRIER || t == 0) {
                asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                                 shared_address(&barriers[2 + k % 2]))
                             : "memory");
            }
            next += v == k + 2;
            bad += v != k && v != k + 2;
        }
        atomicAdd(&other[0], next);
        atomicAdd(&other[1], bad);
    }
}

template <Between B, bool GENERIC>
static void copies_again(const unsigned *in, unsigned rounds, const char *what)
{
    Device<Count> other(2);
    for (int i = 0; i < repeats; i++) {
        copy_again<B, GENERIC><<<1056, 160>>>(in, other.at, rounds);
        finish("copy again");
    }
    printf("bulk copy over a cell / %s read, %s, wait, copy: %llu reads; the next contents %llu, "
           "others %llu\n",
           GENERIC ? "generic" : "shared", what, 1056ull * 128 * rounds * repeats, other.read()[0],
           other.read()[1]);
}

static void test_copy_again()
{
    const unsigned rounds = 400;
    Device<unsigned> in(rounds * 128);
    std::vector<unsigned> numbers(in.count);
    for (unsigned i = 0; i < in.count; i++) {
        numbers[i] = i / 128;
    }
    CHECK(cudaMemcpy(in.at, numbers.data(), in.count * 4, cudaMemcpyHostToDevice));
    copies_again<ARRIVE_ONLY, false>(in.at, rounds, "arrive");
    copies_again<ARRIVE_ONLY, true>(in.at, rounds, "arrive");
    copies_again<VALUE_THERE, false>(in.at, rounds, "the value has come, arrive");
    copies_again<VALUE_THERE, true>(in.at, rounds, "the value has come, arrive");
    copies_again<FENCE_PROXY, false>(in.at, rounds, "fence.proxy.async, arrive");
    copies_again<FENCE_PROXY, true>(in.at, rounds, "fence.proxy.async, arrive");
    copies_again<BARRIER, false>(in.at, rounds, "bar.sync, one thread arrives");
    copies_again<BARRIER, true>(in.at, rounds, "bar.sync, one thread arrives");
}

// Ordinary stores, then a bulk store of the same cells by one thread.
template <bool FENCE>
__global__ void store_bulk(uint4 *out, Count *stale, unsigned rounds)
{
    __shared__ __align__(128) uint4 cells[256];
    unsigned t = threadIdx.x;
    uint4 *to = out + (size_t)blockIdx.x * 256;
    Count bad = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        cells[t] = make_uint4(round, round, round, round);
        if (FENCE) {
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        }
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(to),
                         "r"(shared_address(cells))
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        bad += ((volatile uint4 *)to)[(t + 33) % 256].x != round;
        __syncthreads();
    }
    atomicAdd(stale, bad);
}

static void test_proxy()
{
    Device<uint4> out(528 * 256);
    Device<Count> stale(1);
    for (int fence = 1; fence >= 0; fence--) {
        stale.clear();
        for (int i = 0; i < repeats; i++) {
            if (fence) {
                store_bulk<true><<<528, 256>>>(out.at, stale.at, 500);
            } else {
                store_bulk<false><<<528, 256>>>(out.at, stale.at, 500);
            }
            finish("proxy");
        }
        printf("bulk store / %s: %llu runs; stale %llu\n",
               fence ? "fence.proxy.async" : "no fence.proxy.async", 528ull * 256 * 500 * repeats,
               stale.read()[0]);
    }
}

// Two groups are in flight; a thread reads its cell of the older one.
template <unsigned PENDING>
__global__ void copy_groups(const uint4 *in, Count *stale, unsigned rounds)
{
    __shared__ uint4 cells[2][256];
    unsigned t = threadIdx.x;
    Count bad = 0;
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned s = 0; s < 2; s++) {
            cells[s][t] = make_uint4(0, 0, 0, 0);
        }
        __syncthreads();
        for (unsigned s = 0; s < 2; s++) {
            const uint4 *from = in + ((size_t)(round * 977 + blockIdx.x + s * 7919) * 256 + t) % (1 << 20);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&cells[s][t])),
                         "l"(from)
                         : "memory");
            asm volatile("cp.async.commit_group;" ::: "memory");
        }
        asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
        bad += ((volatile uint4 *)cells[0])[t].x != 7;
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
    }
    atomicAdd(stale, bad);
}

static void test_groups()
{
    Device<uint4> in(1 << 20);
    std::vector<uint4> sevens(in.count, make_uint4(7, 7, 7, 7));
    CHECK(cudaMemcpy(in.at, sevens.data(), sevens.size() * 16, cudaMemcpyHostToDevice));
    Device<Count> stale(1);
    for (unsigned pending = 1; pending <= 2; pending++) {
        stale.clear();
        for (int i = 0; i < repeats; i++) {
            if (pending == 1) {
                copy_groups<1><<<132, 256>>>(in.at, stale.at, 200);
            } else {
                copy_groups<2><<<132, 256>>>(in.at, stale.at, 200);
            }
            finish("groups");
        }
        printf("cp.async / the older of two groups, wait_group %u: %llu runs; stale %llu\n", pending,
               132ull * 256 * 200 * repeats, stale.read()[0]);
    }
}

// ---- Synchronisation through memory -------------------------------------------------------------

// The right forms have no race. Waiting blocks keep the cells in their first-level cache, by words
// beside them. `GAVE_UP` counts waits that were not answered.
enum Count_of { RUNS, STALE, STALE_LATER, GAVE_UP, COUNTS };

constexpr unsigned WAIT = 400000000; // cycles

// Waits until a cell has a value.
template <Access A = RELAXED_GPU>
__device__ inline bool await(const Arena &a, const unsigned *cell, unsigned value)
{
    long long start = clock64();
    while (ld<A>(cell) != value) {
        if (clock64() - start > WAIT) {
            atomicAdd(&a.seen[GAVE_UP], 1ull);
            return false;
        }
    }
    return true;
}

// Loads a cell into the first-level cache, by the next word, which nobody writes.
__device__ inline void warm_up(const unsigned *cell)
{
    unsigned v = ld<PLAIN>(cell + 1);
    asm volatile("" ::"r"(v));
}

// The same again and again, while the leader of the block waits and fences.
__device__ inline void keep_warm(const Arena &a, const unsigned *cell)
{
    unsigned times = hash32(a.seed + blockIdx.x * 64 + threadIdx.x / 32) & 63;
    for (unsigned i = 0; i < times; i++) {
        warm_up(cell);
    }
}

__device__ inline void add_counts(const Arena &a, Count runs, Count stale, Count later = 0)
{
    atomicAdd(&a.seen[RUNS], runs);
    if (stale) {
        atomicAdd(&a.seen[STALE], stale);
    }
    if (later) {
        atomicAdd(&a.seen[STALE_LATER], later);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(a.ended, 1);
    }
}

__device__ inline void delay(const Arena &a, unsigned round)
{
    if (a.jitter) {
        spin(hash32(blockIdx.x * 64 + threadIdx.x / 32 + hash32(a.seed ^ round)) & a.jitter);
    }
}

// Another thread of the block, by a permutation that differs between rounds.
__device__ inline unsigned other_thread(const Arena &a, unsigned t, unsigned round)
{
    return (t * 5 + hash32(a.seed ^ round)) & (THREADS - 1);
}

__global__ void subtract_sums(const unsigned *x, const unsigned *z, size_t n, unsigned stride,
                              Count *seen)
{
    Count sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        sum += x[i * stride] + z[i * stride];
    }
    atomicAdd(seen, 0 - sum);
}

// Launches a kernel with varying strides, delays and traffic, and prints its counts. The cells of
// a lock are counted up, and what is missing in the end is stale.
static void through_memory(const char *name, void (*kernel)(Arena), bool is_lock = false,
                           const char *stale = "stale", const char *later = nullptr)
{
    Arena a = arena();
    Device<Count> seen(COUNTS);
    const unsigned strides[] = {2, 8, 32};
    const unsigned jitters[] = {0, 255, 1023, 4095};
    const size_t cells = (size_t)TESTING * THREADS * (is_lock ? 1 : ROUNDS);
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; i++) {
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        if (i && i % 24 == 0 && passed.count() > seconds_each) {
            break;
        }
        a.seen = seen.at;
        a.testing = TESTING;
        a.rounds = ROUNDS;
        a.stride = strides[i % 3];
        a.jitter = jitters[i / 3 % 4];
        a.seed = 12345u + 777u * i;
        for (unsigned *array : {a.x, a.y, a.z, a.w}) {
            CHECK(cudaMemset(array, 0, cells * a.stride * 4));
        }
        CHECK(cudaMemset(a.waiting, 0, ROUNDS * 4));
        CHECK(cudaMemset(a.ended, 0, 4));
        kernel<<<TESTING + (i % 2 ? 128 : 0), THREADS>>>(a);
        finish(name);
        if (is_lock) {
            subtract_sums<<<256, 256>>>(a.x, a.z, cells, a.stride, &seen.at[STALE]);
            CHECK(cudaDeviceSynchronize());
        }
        if (seen.read()[GAVE_UP]) {
            break;
        }
    }
    std::vector<Count> counts = seen.read();
    printf("%s: %llu runs; %s %llu", name, counts[RUNS], stale, counts[STALE]);
    if (later) {
        printf(", %s %llu", later, counts[STALE_LATER]);
    }
    if (counts[GAVE_UP]) {
        printf(", gave up %llu", counts[GAVE_UP]);
    }
    printf("\n");
    fflush(stdout);
}

// ---- A message with a fence on one side ---------------------------------------------------------

enum Flag { STORED, BY_RMW };

template <Access DATA, Access A, Fence WRITER, Fence READER, bool WARM = true, Flag KIND = STORED>
__global__ void __launch_bounds__(THREADS) message(Arena a)
{
    unsigned t = threadIdx.x, b = blockIdx.x, role = b % 2;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        size_t at =
            (size_t)(round * a.testing + b / 2) * THREADS + (role ? other_thread(a, t, round) : t);
        unsigned *x = a.x + at * a.stride, *y = a.y + at * a.stride;
        if (WARM && role) {
            warm_up(x);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        if (role == 0) {
            st<DATA>(x, 1);
            fence<WRITER>();
            if (KIND == BY_RMW) {
                atomicAdd(y, 1);
            } else {
                st<A>(y, 1);
            }
        } else {
            unsigned flag = 0;
            for (int i = 0; i < 30 && !flag; i++) {
                flag = KIND == BY_RMW ? atomicAdd(y, 0) : ld<A>(y);
            }
            fence<READER>();
            unsigned data = ld<DATA>(x);
            runs += flag;
            stale += flag && !data;
        }
    }
    add_counts(a, runs, stale);
}

static void test_message_sides()
{
    through_memory("message / relaxed flag, plain data, __threadfence on both sides",
                   message<PLAIN, RELAXED_GPU, SC_GPU, SC_GPU>);
    through_memory("message / relaxed flag, plain data, __threadfence of the writer only",
                   message<PLAIN, RELAXED_GPU, SC_GPU, NONE>);
    through_memory("message / relaxed flag, plain data, __threadfence of the writer only, not "
                   "cached before",
                   message<PLAIN, RELAXED_GPU, SC_GPU, NONE, false>);
    through_memory("message / relaxed flag, plain data, __threadfence of the reader only",
                   message<PLAIN, RELAXED_GPU, NONE, SC_GPU>);
    through_memory("message / relaxed flag, plain data, no fence",
                   message<PLAIN, RELAXED_GPU, NONE, NONE>);
    through_memory("message / volatile flag, plain data, __threadfence of the writer only",
                   message<PLAIN, VOLATILE, SC_GPU, NONE>);
    through_memory("message / flag by atomicAdd, plain data, __threadfence on both sides",
                   message<PLAIN, RELAXED_GPU, SC_GPU, SC_GPU, true, BY_RMW>);
    through_memory("message / flag by atomicAdd, plain data, __threadfence of the writer only",
                   message<PLAIN, RELAXED_GPU, SC_GPU, NONE, true, BY_RMW>);
    through_memory("message / flag by atomicAdd, plain data, __threadfence of the reader only",
                   message<PLAIN, RELAXED_GPU, NONE, SC_GPU, true, BY_RMW>);
    through_memory("message / relaxed flag and data, __threadfence of the writer only",
                   message<RELAXED_GPU, RELAXED_GPU, SC_GPU, NONE>);
    through_memory("message / relaxed flag and data, __threadfence of the reader only",
                   message<RELAXED_GPU, RELAXED_GPU, NONE, SC_GPU>);
    through_memory("message / plain flag and data, __threadfence on both sides",
                   message<PLAIN, PLAIN, SC_GPU, SC_GPU>);
}

// ---- Locks --------------------------------------------------------------------------------------

enum Take { CAS, CAS_ACQUIRE_GPU, CAS_ACQUIRE_CTA, LIBRARY_DEVICE, LIBRARY_BLOCK };
enum Give {
    EXCHANGE,
    STORE_VOLATILE,
    STORE_RELEASE_GPU,
    STORE_RELEASE_CTA,
    STORE_DEVICE,
    STORE_BLOCK
};
enum Fault { NO_FAULT, TWO_LOCKS, GIVEN_TWICE };

using DeviceRef = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using BlockRef = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;

template <typename Ref>
__device__ inline bool take_by(unsigned *lock)
{
    unsigned expected = 0;
    return Ref(*lock).compare_exchange_strong(expected, 1u, cuda::memory_order_acquire,
                                              cuda::memory_order_relaxed);
}

template <Take T>
__device__ inline bool take(unsigned *lock)
{
    unsigned old = 0;
    if constexpr (T == CAS) {
        old = atomicCAS(lock, 0, 1);
    } else if constexpr (T == CAS_ACQUIRE_GPU) {
        asm volatile("atom.acquire.gpu.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
    } else if constexpr (T == CAS_ACQUIRE_CTA) {
        asm volatile("atom.acquire.cta.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
    } else if constexpr (T == LIBRARY_DEVICE) {
        return take_by<DeviceRef>(lock);
    } else {
        return take_by<BlockRef>(lock);
    }
    return old == 0;
}

template <Give G>
__device__ inline void give(unsigned *lock)
{
    if constexpr (G == EXCHANGE) {
        atomicExch(lock, 0);
    } else if constexpr (G == STORE_VOLATILE) {
        st<VOLATILE>(lock, 0);
    } else if constexpr (G == STORE_RELEASE_GPU) {
        st<ORDERED_GPU>(lock, 0);
    } else if constexpr (G == STORE_RELEASE_CTA) {
        st<ORDERED_CTA>(lock, 0);
    } else if constexpr (G == STORE_DEVICE) {
        DeviceRef(*lock).store(0, cuda::memory_order_release);
    } else {
        BlockRef(*lock).store(0, cuda::memory_order_release);
    }
}

// Four blocks, or the pairs of warps of a block, share locks; each thread holds one in each round.
__device__ inline unsigned lock_of(const Arena &a, Place place, unsigned round)
{
    unsigned t = threadIdx.x, b = blockIdx.x, salt = hash32(a.seed ^ round) & ~1u;
    if (place == BLOCKS) {
        unsigned member = b % 4;
        return b / 4 * THREADS + ((t * (2 * member + 1) + salt * member) & (THREADS - 1));
    }
    unsigned member = t / 64;
    return b * 64 + ((t * (2 * member + 1) + salt * member) & 63);
}

template <Take T, Fence BEHIND, Fence BEFORE, Give G, Place P = BLOCKS, Fault F = NO_FAULT,
          Access DATA = PLAIN>
__global__ void __launch_bounds__(THREADS) locked(Arena a)
{
    if (blockIdx.x >= a.testing) {
        traffic(a);
        return;
    }
    meet(&a.waiting[0], a.testing);
    Count sections = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        size_t at = (size_t)lock_of(a, P, round) * a.stride;
        unsigned *x = a.x + at, *z = a.z + at;
        unsigned *lock = (F == TWO_LOCKS && blockIdx.x % 2 ? a.w : a.y) + at;
        warm_up(x);
        warm_up(z);
        delay(a, round);
        long long start = clock64();
        bool done = false;
        while (!done) {
            if (take<T>(lock)) {
                fence<BEHIND>();
                st<DATA>(x, ld<DATA>(x) + 1);
                st<DATA>(z, ld<DATA>(z) + 1);
                fence<BEFORE>();
                give<G>(lock);
                sections++;
                done = true;
            } else if (clock64() - start > WAIT) {
                atomicAdd(&a.seen[GAVE_UP], 1ull);
                done = true;
            }
        }
        if (F == GIVEN_TWICE) {
            give<G>(lock);
        }
    }
    add_counts(a, 2 * sections, 2 * sections);
}

static void test_spin_lock()
{
    auto lock = [](const char *name, void (*kernel)(Arena)) {
        through_memory(name, kernel, true, "additions lost");
    };
    lock("lock / atomicCAS, atomicExch, __threadfence on both sides",
         locked<CAS, SC_GPU, SC_GPU, EXCHANGE>);
    lock("lock / the same, fence.acq_rel.gpu on both sides",
         locked<CAS, ACQ_REL_GPU, ACQ_REL_GPU, EXCHANGE>);
    lock("lock / the same, no fence before the release", locked<CAS, SC_GPU, NONE, EXCHANGE>);
    lock("lock / the same, no fence behind the acquire", locked<CAS, NONE, SC_GPU, EXCHANGE>);
    lock("lock / the same, fence.acq_rel.gpu, none behind the acquire",
         locked<CAS, NONE, ACQ_REL_GPU, EXCHANGE>);
    lock("lock / the same, no fence", locked<CAS, NONE, NONE, EXCHANGE>);
    lock("lock / the same, __threadfence_block on both sides",
         locked<CAS, SC_CTA, SC_CTA, EXCHANGE>);
    lock("lock / atomicCAS, volatile store, __threadfence on both sides",
         locked<CAS, SC_GPU, SC_GPU, STORE_VOLATILE>);
    lock("lock / the same, no fence before the release", locked<CAS, SC_GPU, NONE, STORE_VOLATILE>);
    lock("lock / the same, no fence", locked<CAS, NONE, NONE, STORE_VOLATILE>);
    lock("lock / atom.acquire.gpu.cas, st.release.gpu",
         locked<CAS_ACQUIRE_GPU, NONE, NONE, STORE_RELEASE_GPU>);
    lock("lock / atom.acquire.gpu.cas, volatile store",
         locked<CAS_ACQUIRE_GPU, NONE, NONE, STORE_VOLATILE>);
    lock("lock / atomicCAS, st.release.gpu", locked<CAS, NONE, NONE, STORE_RELEASE_GPU>);
    lock("lock / atom.acquire.cta.cas, st.release.cta",
         locked<CAS_ACQUIRE_CTA, NONE, NONE, STORE_RELEASE_CTA>);
    lock("lock / cuda::atomic_ref of device scope, acquire and release",
         locked<LIBRARY_DEVICE, NONE, NONE, STORE_DEVICE>);
    lock("lock / cuda::atomic_ref of block scope, acquire and release",
         locked<LIBRARY_BLOCK, NONE, NONE, STORE_BLOCK>);
    lock("lock / two locks for the same data, __threadfence on both sides",
         locked<CAS, SC_GPU, SC_GPU, EXCHANGE, BLOCKS, TWO_LOCKS>);
    lock("lock / released a second time, __threadfence on both sides",
         locked<CAS, SC_GPU, SC_GPU, EXCHANGE, BLOCKS, GIVEN_TWICE>);
    lock("lock / atomicCAS, atomicExch, volatile data, no fence",
         locked<CAS, NONE, NONE, EXCHANGE, BLOCKS, NO_FAULT, VOLATILE>);
    lock("lock / atomicCAS, atomicExch, volatile data, no fence behind the acquire",
         locked<CAS, NONE, SC_GPU, EXCHANGE, BLOCKS, NO_FAULT, VOLATILE>);
    lock("lock within a block / atomicCAS, atomicExch, __threadfence_block on both sides",
         locked<CAS, SC_CTA, SC_CTA, EXCHANGE, WARPS>);
    lock("lock within a block / the same, no fence", locked<CAS, NONE, NONE, EXCHANGE, WARPS>);
    lock("lock within a block / the same, volatile store, no fence",
         locked<CAS, NONE, NONE, STORE_VOLATILE, WARPS>);
    lock("lock within a block / atom.acquire.cta.cas, st.release.cta",
         locked<CAS_ACQUIRE_CTA, NONE, NONE, STORE_RELEASE_CTA, WARPS>);
}

template <Access SERVING, Fence BEHIND, Fence BEFORE>
__global__ void __launch_bounds__(THREADS) ticket_locked(Arena a)
{
    if (blockIdx.x >= a.testing) {
        traffic(a);
        return;
    }
    meet(&a.waiting[0], a.testing);
    Count sections = 0;
    bool stuck = false;
    for (unsigned round = 0; round < a.rounds && !stuck; round++) {
        size_t at = (size_t)lock_of(a, BLOCKS, round) * a.stride;
        unsigned *x = a.x + at, *z = a.z + at, *serving = a.y + at;
        warm_up(x);
        warm_up(z);
        delay(a, round);
        unsigned mine = atomicAdd(a.w + at, 1);
        long long start = clock64();
        bool done = false;
        while (!done) {
            if (ld<SERVING>(serving) == mine) {
                fence<BEHIND>();
                st<PLAIN>(x, ld<PLAIN>(x) + 1);
                st<PLAIN>(z, ld<PLAIN>(z) + 1);
                fence<BEFORE>();
                st<SERVING>(serving, mine + 1);
                sections++;
                done = true;
            } else if (clock64() - start > WAIT) {
                atomicAdd(&a.seen[GAVE_UP], 1ull);
                done = stuck = true;
            }
        }
    }
    add_counts(a, 2 * sections, 2 * sections);
}

static void test_ticket_lock()
{
    auto lock = [](const char *name, void (*kernel)(Arena)) {
        through_memory(name, kernel, true, "additions lost");
    };
    lock("ticket lock / relaxed load and store, __threadfence on both sides",
         ticket_locked<RELAXED_GPU, SC_GPU, SC_GPU>);
    lock("ticket lock / the same, fence.acq_rel.gpu on both sides",
         ticket_locked<RELAXED_GPU, ACQ_REL_GPU, ACQ_REL_GPU>);
    lock("ticket lock / volatile load and store, __threadfence on both sides",
         ticket_locked<VOLATILE, SC_GPU, SC_GPU>);
    lock("ticket lock / ld.acquire.gpu, st.release.gpu", ticket_locked<ORDERED_GPU, NONE, NONE>);
    lock("ticket lock / relaxed, no fence", ticket_locked<RELAXED_GPU, NONE, NONE>);
    lock("ticket lock / volatile, no fence", ticket_locked<VOLATILE, NONE, NONE>);
    lock("ticket lock / relaxed, no fence before the release",
         ticket_locked<RELAXED_GPU, SC_GPU, NONE>);
    lock("ticket lock / relaxed, no fence behind the acquire",
         ticket_locked<RELAXED_GPU, NONE, SC_GPU>);
    lock("ticket lock / relaxed, __threadfence_block on both sides",
         ticket_locked<RELAXED_GPU, SC_CTA, SC_CTA>);
    lock("ticket lock / ld.acquire.cta, st.release.cta", ticket_locked<ORDERED_CTA, NONE, NONE>);
}

// ---- Through leaders ----------------------------------------------------------------------------

template <bool WARP>
__device__ inline void join()
{
    if (WARP) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// All threads of a block or of a warp write, meet, and the leader sets a flag. The leader of
// another block waits for it, all meet, and read. `WRITERS` and `READERS` are fences of all
// threads, `BEFORE` and `BEHIND` those of the leaders.
template <Fence WRITERS, Fence BEFORE, Fence BEHIND, Fence READERS, bool WARP = false>
__global__ void __launch_bounds__(THREADS) led(Arena a)
{
    constexpr unsigned UNIT = WARP ? 32 : THREADS;
    unsigned t = threadIdx.x, b = blockIdx.x;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        size_t base = (size_t)(round * a.testing + b / 2) * THREADS + t / UNIT * UNIT;
        unsigned from = other_thread(a, t, round) % UNIT;
        unsigned *x = a.x + (base + (b % 2 ? from : t % UNIT)) * a.stride;
        unsigned *flag = a.y + base * a.stride;
        if (b % 2) {
            warm_up(x);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        if (b % 2 == 0) {
            st<PLAIN>(x, 1);
            fence<WRITERS>();
            join<WARP>();
            if (t % UNIT == 0) {
                fence<BEFORE>();
                atomicAdd(flag, 1);
            }
        } else {
            if (t % UNIT == 0) {
                await(a, flag, 1);
                fence<BEHIND>();
            } else if (WARP || t >= 32) {
                keep_warm(a, x);
            }
            join<WARP>();
            fence<READERS>();
            stale += ld<PLAIN>(x) != 1;
            runs++;
        }
    }
    add_counts(a, runs, stale);
}

static void test_leaders()
{
    through_memory("leaders / both leaders __threadfence", led<NONE, SC_GPU, SC_GPU, NONE>);
    through_memory("leaders / both leaders fence.acq_rel.gpu",
                   led<NONE, ACQ_REL_GPU, ACQ_REL_GPU, NONE>);
    through_memory("leaders / all writers fence.sc, the reading leader fence.sc",
                   led<SC_GPU, NONE, SC_GPU, NONE>);
    through_memory("leaders / all writers fence.acq_rel, the reading leader fence.acq_rel",
                   led<ACQ_REL_GPU, NONE, ACQ_REL_GPU, NONE>);
    through_memory("leaders / all writers fence.acq_rel, the reading leader fence.sc",
                   led<ACQ_REL_GPU, NONE, SC_GPU, NONE>);
    through_memory("leaders / the writing leader fence.sc, all readers fence.sc",
                   led<NONE, SC_GPU, NONE, SC_GPU>);
    through_memory("leaders / the writing leader fence.acq_rel, all readers fence.acq_rel",
                   led<NONE, ACQ_REL_GPU, NONE, ACQ_REL_GPU>);
    through_memory("leaders / all writers and all readers fence.sc",
                   led<SC_GPU, NONE, NONE, SC_GPU>);
    through_memory("leaders / all writers and all readers fence.acq_rel",
                   led<ACQ_REL_GPU, NONE, NONE, ACQ_REL_GPU>);
    through_memory("leaders / no fence of the readers, leader fence.sc",
                   led<NONE, SC_GPU, NONE, NONE>);
    through_memory("leaders / no fence of the readers, all writers fence.sc",
                   led<SC_GPU, NONE, NONE, NONE>);
    through_memory("leaders / no fence of the writers, leader fence.sc",
                   led<NONE, NONE, SC_GPU, NONE>);
    through_memory("leaders / no fence", led<NONE, NONE, NONE, NONE>);
    through_memory("leaders / both leaders __threadfence_block", led<NONE, SC_CTA, SC_CTA, NONE>);
    through_memory("leaders of warps / both leaders __threadfence",
                   led<NONE, SC_GPU, SC_GPU, NONE, true>);
    through_memory("leaders of warps / all writers fence.acq_rel, the reading leader fence.acq_rel",
                   led<ACQ_REL_GPU, NONE, ACQ_REL_GPU, NONE, true>);
    through_memory("leaders of warps / the writing leader fence.acq_rel, all readers fence.acq_rel",
                   led<NONE, ACQ_REL_GPU, NONE, ACQ_REL_GPU, true>);
    through_memory("leaders of warps / no fence of the readers, leader fence.sc",
                   led<NONE, SC_GPU, NONE, NONE, true>);
    through_memory("leaders of warps / no fence of the writers, leader fence.sc",
                   led<NONE, NONE, SC_GPU, NONE, true>);
}

// ---- The last of four blocks reads; all blocks wait for a counter -------------------------------

enum Draw { RELAXED, ACQ_REL };

template <Draw D>
__device__ inline unsigned draw_number(unsigned *counter)
{
    unsigned old;
    if constexpr (D == RELAXED) {
        old = atomicAdd(counter, 1);
    } else {
        asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(counter) : "memory");
    }
    return old;
}

// The answer of the counter goes to the block through shared memory.
template <Fence WRITERS, Fence BEFORE, Draw D, Fence BEHIND, Fence READERS, Access DATA = PLAIN>
__global__ void __launch_bounds__(THREADS) last_of_four(Arena a)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x, b = blockIdx.x;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        unsigned *x = a.x + (size_t)round * a.testing * THREADS * a.stride;
        unsigned *counter = a.y + (size_t)(round * a.testing + b / 4) * a.stride;
        unsigned from = other_thread(a, t, round);
        for (unsigned k = 1; k < 4; k++) {
            warm_up(x + (size_t)((b ^ k) * THREADS + from) * a.stride);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        st<DATA>(x + (size_t)(b * THREADS + t) * a.stride, 1);
        fence<WRITERS>();
        __syncthreads();
        if (t == 0) {
            fence<BEFORE>();
            is_last = draw_number<D>(counter) == 3;
            fence<BEHIND>();
        } else if (t >= 32) {
            for (unsigned k = 1; k < 4; k++) {
                keep_warm(a, x + (size_t)((b ^ k) * THREADS + from) * a.stride);
            }
        }
        __syncthreads();
        if (is_last) {
            fence<READERS>();
            for (unsigned k = 1; k < 4; k++) {
                stale += ld<DATA>(x + (size_t)((b ^ k) * THREADS + from) * a.stride) != 1;
                runs++;
            }
        }
    }
    add_counts(a, runs, stale);
}

static void test_last_of_four()
{
    through_memory("last of four / the leader fence.sc before and behind",
                   last_of_four<NONE, SC_GPU, RELAXED, SC_GPU, NONE>);
    through_memory("last of four / the leader fence.acq_rel before and behind",
                   last_of_four<NONE, ACQ_REL_GPU, RELAXED, ACQ_REL_GPU, NONE>);
    through_memory("last of four / the leader fence.sc before only",
                   last_of_four<NONE, SC_GPU, RELAXED, NONE, NONE>);
    through_memory("last of four / the leader fence.acq_rel before only",
                   last_of_four<NONE, ACQ_REL_GPU, RELAXED, NONE, NONE>);
    through_memory("last of four / all fence.sc, then the barrier, nothing behind",
                   last_of_four<SC_GPU, NONE, RELAXED, NONE, NONE>);
    through_memory("last of four / all fence.sc, then the barrier; the leader fence.sc behind",
                   last_of_four<SC_GPU, NONE, RELAXED, SC_GPU, NONE>);
    through_memory("last of four / all fence.acq_rel, then the barrier; the leader "
                   "fence.acq_rel behind",
                   last_of_four<ACQ_REL_GPU, NONE, RELAXED, ACQ_REL_GPU, NONE>);
    through_memory("last of four / all fence.sc before and all fence.sc at the end",
                   last_of_four<SC_GPU, NONE, RELAXED, NONE, SC_GPU>);
    through_memory("last of four / all fence.acq_rel before and all fence.acq_rel at the end",
                   last_of_four<ACQ_REL_GPU, NONE, RELAXED, NONE, ACQ_REL_GPU>);
    through_memory("last of four / the leader fence.sc behind only",
                   last_of_four<NONE, NONE, RELAXED, SC_GPU, NONE>);
    through_memory("last of four / no fence", last_of_four<NONE, NONE, RELAXED, NONE, NONE>);
    through_memory("last of four / __threadfence_block before and behind",
                   last_of_four<NONE, SC_CTA, RELAXED, SC_CTA, NONE>);
    through_memory("last of four / atom.acq_rel.gpu, no fence",
                   last_of_four<NONE, NONE, ACQ_REL, NONE, NONE>);
    through_memory("last of four / volatile data, the leader fence.sc before only",
                   last_of_four<NONE, SC_GPU, RELAXED, NONE, NONE, VOLATILE>);
    through_memory("last of four / volatile data, all fence.sc, then the barrier, nothing behind",
                   last_of_four<SC_GPU, NONE, RELAXED, NONE, NONE, VOLATILE>);
    through_memory("last of four / volatile data, no fence",
                   last_of_four<NONE, NONE, RELAXED, NONE, NONE, VOLATILE>);
}

// Each counter is used once.
template <Fence WRITERS, Fence BEFORE, Draw D, Fence BEHIND, Fence READERS>
__global__ void __launch_bounds__(THREADS) wait_for_all(Arena a)
{
    unsigned t = threadIdx.x, b = blockIdx.x;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        unsigned *x = a.x + (size_t)round * a.testing * THREADS * a.stride;
        unsigned *counter = a.y + (size_t)round * a.stride;
        unsigned *read[2];
        for (unsigned k = 0; k < 2; k++) {
            unsigned other = (b + 1 + hash32(a.seed + round * 2 + k) % (a.testing - 1)) % a.testing;
            read[k] = x + (size_t)(other * THREADS + other_thread(a, t, round)) * a.stride;
            warm_up(read[k]);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        st<PLAIN>(x + (size_t)(b * THREADS + t) * a.stride, 1);
        fence<WRITERS>();
        __syncthreads();
        if (t == 0) {
            fence<BEFORE>();
            draw_number<D>(counter);
            if (D == ACQ_REL) {
                await<ORDERED_GPU>(a, counter, a.testing);
            } else {
                await(a, counter, a.testing);
            }
            fence<BEHIND>();
        } else if (t >= 32) {
            keep_warm(a, read[0]);
            keep_warm(a, read[1]);
        }
        __syncthreads();
        fence<READERS>();
        for (unsigned k = 0; k < 2; k++) {
            stale += ld<PLAIN>(read[k]) != 1;
            runs++;
        }
    }
    add_counts(a, runs, stale);
}

static void test_grid_counter()
{
    through_memory("grid counter / the leader fence.sc before and behind",
                   wait_for_all<NONE, SC_GPU, RELAXED, SC_GPU, NONE>);
    through_memory("grid counter / the leader fence.acq_rel before and behind",
                   wait_for_all<NONE, ACQ_REL_GPU, RELAXED, ACQ_REL_GPU, NONE>);
    through_memory("grid counter / atom.acq_rel.gpu, ld.acquire.gpu, no fence",
                   wait_for_all<NONE, NONE, ACQ_REL, NONE, NONE>);
    through_memory("grid counter / all fence.sc before and all fence.sc at the end",
                   wait_for_all<SC_GPU, NONE, RELAXED, NONE, SC_GPU>);
    through_memory("grid counter / the leader fence.sc before only",
                   wait_for_all<NONE, SC_GPU, RELAXED, NONE, NONE>);
    through_memory("grid counter / all fence.sc, then the barrier, nothing behind",
                   wait_for_all<SC_GPU, NONE, RELAXED, NONE, NONE>);
    through_memory("grid counter / the leader fence.sc behind only",
                   wait_for_all<NONE, NONE, RELAXED, SC_GPU, NONE>);
    through_memory("grid counter / no fence", wait_for_all<NONE, NONE, RELAXED, NONE, NONE>);
    through_memory("grid counter / __threadfence_block before and behind",
                   wait_for_all<NONE, SC_CTA, RELAXED, SC_CTA, NONE>);
}

// ---- A chain of flags over 16 blocks ------------------------------------------------------------

enum Link { THREAD, LEADER };
constexpr unsigned CHAIN = 16, MIDDLE = 7;

// Each block waits for the one before, reads its cell and that of the first block, writes its own
// cell and sets its flag. `NO_ACQUIRE` and `NO_RELEASE` say what the middle block lacks.
template <Link L, Fence BEHIND, Fence BEFORE, bool NO_ACQUIRE, bool NO_RELEASE>
__global__ void __launch_bounds__(THREADS) chained(Arena a)
{
    unsigned t = threadIdx.x, b = blockIdx.x, member = b % CHAIN;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0, later = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        size_t first = (size_t)(round * a.testing + b - member) * THREADS;
        unsigned own = (t + member * 37) & (THREADS - 1);
        unsigned cell = L == THREAD ? own : (t + (member - 1) * 37 + 91) & (THREADS - 1);
        unsigned *x = a.x + (first + cell) * a.stride;
        unsigned *before = a.x + (first + (member - 1) * THREADS + cell) * a.stride;
        unsigned at = L == THREAD ? own : 0;
        unsigned *flag = a.y + (first + member * THREADS + at) * a.stride;
        if (member) {
            warm_up(x);
            warm_up(before);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        if (member) {
            if (L == THREAD || t == 0) {
                await(a, flag - THREADS * a.stride, 1);
                if (!NO_ACQUIRE || member != MIDDLE) {
                    fence<BEHIND>();
                }
            } else if (t >= 32) {
                keep_warm(a, before);
                keep_warm(a, x);
            }
            if (L == LEADER) {
                __syncthreads();
            }
            bool is_stale = ld<PLAIN>(before) != member;
            bool is_first_stale = ld<PLAIN>(x) != 1;
            stale += is_stale || (member <= MIDDLE && is_first_stale);
            later += member > MIDDLE && is_first_stale;
            runs++;
        }
        st<PLAIN>(a.x + (first + member * THREADS + own) * a.stride, member + 1);
        if (L == LEADER) {
            __syncthreads();
        }
        if (L == THREAD || t == 0) {
            if (!NO_RELEASE || member != MIDDLE) {
                fence<BEFORE>();
            }
            st<RELAXED_GPU>(flag, 1);
        }
    }
    add_counts(a, runs, stale, later);
}

template <Link L>
static void chains(const char *what)
{
    auto chain = [what](const char *form, void (*kernel)(Arena)) {
        char name[200];
        snprintf(name, sizeof name, "chain of 16, %s / %s", what, form);
        through_memory(name, kernel, false, "stale",
                       "cell of the first block stale behind the middle");
    };
    chain("__threadfence everywhere", chained<L, SC_GPU, SC_GPU, false, false>);
    chain("fence.acq_rel.gpu everywhere", chained<L, ACQ_REL_GPU, ACQ_REL_GPU, false, false>);
    chain("__threadfence, none in the middle", chained<L, SC_GPU, SC_GPU, true, true>);
    chain("__threadfence, the middle only releases", chained<L, SC_GPU, SC_GPU, true, false>);
    chain("__threadfence, the middle only acquires", chained<L, SC_GPU, SC_GPU, false, true>);
    chain("fence.acq_rel.gpu, none in the middle",
          chained<L, ACQ_REL_GPU, ACQ_REL_GPU, true, true>);
    chain("releases only", chained<L, NONE, SC_GPU, false, false>);
    chain("acquires only", chained<L, SC_GPU, NONE, false, false>);
    chain("no fence", chained<L, NONE, NONE, false, false>);
    chain("__threadfence_block everywhere", chained<L, SC_CTA, SC_CTA, false, false>);
}

static void test_flag_chain()
{
    chains<THREAD>("by threads");
    chains<LEADER>("by leaders");
}

// ---- Release sequences --------------------------------------------------------------------------

enum Head { RELEASE_ADD, RELAXED_ADD, RELEASE_STORE_AND_STORE };
enum Successor { NOBODY, ADD, SWAP, STORE, STORE_VOLATILE_2, STORE_BEHIND_FENCE };

// One thread writes and releases the flag, another one changes the flag without an order, two
// others acquire the second value and read.
template <Head H, Successor S, Access READER>
__global__ void __launch_bounds__(THREADS) sequence(Arena a)
{
    unsigned t = threadIdx.x, b = blockIdx.x, role = b % 4;
    if (b >= a.testing) {
        traffic(a);
        return;
    }
    Count runs = 0, stale = 0;
    for (unsigned round = 0; round < a.rounds; round++) {
        size_t at = (size_t)(round * a.testing + b / 4) * THREADS +
                    ((t + role * (hash32(a.seed ^ round) | 1)) & (THREADS - 1));
        unsigned *x = a.x + at * a.stride, *y = a.y + at * a.stride;
        if (role) {
            warm_up(x);
        }
        meet(&a.waiting[round], a.testing);
        delay(a, round);
        unsigned old = 0;
        if (role == 0) {
            st<PLAIN>(x, 1);
            if (H == RELEASE_ADD) {
                asm volatile("atom.release.gpu.add.u32 %0, [%1], 1;"
                             : "=r"(old)
                             : "l"(y)
                             : "memory");
            } else if (H == RELAXED_ADD) {
                atomicAdd(y, 1);
            } else {
                st<ORDERED_GPU>(y, 1);
                st<RELAXED_GPU>(y, 2);
            }
        } else if (role == 1) {
            if (S == ADD) {
                await(a, y, 1);
                atomicAdd(y, 1);
            } else if (S == SWAP) {
                long long start = clock64();
                while (atomicCAS(y, 1, 2) != 1 && clock64() - start < WAIT) {
                }
            } else if (S == STORE || S == STORE_BEHIND_FENCE) {
                await(a, y, 1);
                if (S == STORE_BEHIND_FENCE) {
                    __threadfence();
                }
                st<RELAXED_GPU>(y, 2);
            } else if (S == STORE_VOLATILE_2) {
                await(a, y, 1);
                st<VOLATILE>(y, 2);
            }
        } else {
            await<READER>(a, y, 2);
            stale += ld<PLAIN>(x) != 1;
            runs++;
        }
    }
    add_counts(a, runs, stale);
}

static void test_release_sequence()
{
    through_memory("release sequence / release add, another's relaxed add, acquire",
                   sequence<RELEASE_ADD, ADD, ORDERED_GPU>);
    through_memory("release sequence / release add, another's relaxed compare-and-swap, acquire",
                   sequence<RELEASE_ADD, SWAP, ORDERED_GPU>);
    through_memory("release sequence / release add, another's relaxed store, acquire",
                   sequence<RELEASE_ADD, STORE, ORDERED_GPU>);
    through_memory("release sequence / release add, another's volatile store, acquire",
                   sequence<RELEASE_ADD, STORE_VOLATILE_2, ORDERED_GPU>);
    through_memory("release sequence / release add, another's fence and relaxed store, acquire",
                   sequence<RELEASE_ADD, STORE_BEHIND_FENCE, ORDERED_GPU>);
    through_memory("release sequence / release store, the same thread's relaxed store, acquire",
                   sequence<RELEASE_STORE_AND_STORE, NOBODY, ORDERED_GPU>);
    through_memory("release sequence / relaxed add, another's relaxed add, acquire",
                   sequence<RELAXED_ADD, ADD, ORDERED_GPU>);
    through_memory("release sequence / relaxed add, another's relaxed store, acquire",
                   sequence<RELAXED_ADD, STORE, ORDERED_GPU>);
    through_memory("release sequence / release add, another's relaxed add, relaxed read",
                   sequence<RELEASE_ADD, ADD, RELAXED_GPU>);
}

// ---- Shared memory that nobody has written ------------------------------------------------------

__global__ void leave_behind(unsigned pattern)
{
    __shared__ volatile unsigned cells[4096];
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) {
        cells[i] = pattern;
    }
}

// Reads before it writes: contents of an earlier block or kernel.
__global__ void find_left(Count *seen, unsigned pattern, unsigned own)
{
    __shared__ volatile unsigned cells[4096];
    Count zero = 0, before = 0, same = 0, other = 0;
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) {
        unsigned v = cells[i];
        zero += v == 0;
        before += v == pattern;
        same += v == own;
        other += v != 0 && v != pattern && v != own;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) {
        cells[i] = own;
    }
    atomicAdd(&seen[0], zero);
    atomicAdd(&seen[1], before);
    atomicAdd(&seen[2], same);
    atomicAdd(&seen[3], other);
}

static void test_left_behind()
{
    Device<Count> seen(4);
    for (int i = 0; i < repeats; i++) {
        leave_behind<<<1056, 256>>>(0x5EED0000u + i);
        find_left<<<10560, 256>>>(seen.at, 0x5EED0000u + i, 0xB10C0000u + i);
        finish("left behind");
    }
    std::vector<Count> s = seen.read();
    printf("shared memory / cells read before anybody wrote them: %llu reads; zero %llu, of the "
           "kernel before %llu, of an "
           "earlier block %llu, other %llu\n",
           s[0] + s[1] + s[2] + s[3], s[0], s[1], s[2], s[3]);
}

// ---- Spinning blocks ----------------------------------------------------------------------------

// A later block waits for an earlier one, or an earlier one for a later one, both resident.
__global__ void wait_for_block(unsigned *flag, unsigned *out, unsigned writer)
{
    if (blockIdx.x == writer) {
        spin(10000);
        st<RELAXED_GPU>(flag, 1);
    } else {
        long long start = clock64();
        while (!ld<RELAXED_GPU>(flag) && clock64() - start < 100000000) {
        }
        out[0] = ld<RELAXED_GPU>(flag);
    }
}

static void test_progress()
{
    for (unsigned writer = 0; writer < 2; writer++) {
        Device<unsigned> flag(1), out(1);
        wait_for_block<<<2, 1>>>(flag.at, out.at, writer);
        finish("progress");
        printf("progress / block %u waits for block %u: %s\n", 1 - writer, writer,
               out.read()[0] ? "went on" : "never saw it");
    }
}

int main(int count, char **arguments)
{
    std::vector<std::pair<std::string, void (*)()>> tests = {
        {"mp", test_mp},
        {"sb", test_sb},
        {"lb", test_lb},
        {"corr", test_corr},
        {"iriw", test_iriw},
        {"ticket", test_ticket},
        {"mixed", test_mixed},
        {"exchange", test_exchange},
        {"lock_step", test_lock_step},
        {"bytes", test_bytes},
        {"same_value", test_same_value},
        {"atomics", test_atomics},
        {"last_block", test_last_block},
        {"grid_sync", test_grid_sync},
        {"read_only", test_read_only},
        {"exited", test_exited},
        {"half_warp", test_half_warp},
        {"half_warp_aligned", test_half_warp_aligned},
        {"two_places_aligned", test_two_places_aligned},
        {"two_places", test_two_places},
        {"one_more", test_one_more},
        {"named", test_named},
        {"odd_count", test_odd_count},
        {"half_warps_named", test_half_warps_named},
        {"shuffles", test_shuffles},
        {"missing_syncwarp", test_missing_syncwarp},
        {"missing_shuffle", test_missing_shuffle},
        {"missing_ballot", test_missing_ballot},
        {"missing_reduce", test_missing_reduce},
        {"masks", test_masks},
        {"masks_overlap", test_masks_overlap},
        {"not_named", test_not_named},
        {"syncwarp_two_places", test_syncwarp_two_places},
        {"copies", test_copies},
        {"mbarrier", test_mbarrier},
        {"bulk", test_bulk},
        {"counts_sync", test_counts<96, false>},
        {"counts_sync_same", test_counts<64, false>},
        {"counts_arrive", test_counts<96, true>},
        {"parity", test_parity},
        {"expect", test_expect},
        {"copy_again", test_copy_again},
        {"proxy", test_proxy},
        {"groups", test_groups},
        {"message_sides", test_message_sides},
        {"spin_lock", test_spin_lock},
        {"ticket_lock", test_ticket_lock},
        {"leaders", test_leaders},
        {"last_of_four", test_last_of_four},
        {"grid_counter", test_grid_counter},
        {"flag_chain", test_flag_chain},
        {"release_sequence", test_release_sequence},
        {"left_behind", test_left_behind},
        {"progress", test_progress},
    };
    setvbuf(stdout, nullptr, _IOLBF, 0);
    std::string name = count > 1 ? arguments[1] : "list";
    repeats = count > 2 ? atoi(arguments[2]) : repeats;
    seconds_each = count > 3 ? atof(arguments[3]) : seconds_each;
    for (auto &[test, run] : tests) {
        if (name == "list") {
            printf("%s\n", test.c_str());
        } else if (name == test) {
            run();
            return 0;
        }
    }
    return name == "list" ? 0 : 2;
}
