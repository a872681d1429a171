// Host side of the programs that rerun.py generates: launches of one kernel with given arguments,
// and the instrumentation that puts two accesses into a given order.

#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <vector>

namespace hardware
{

// ---- Orders of two accesses -------------------------------------------------------------------

// One access of a race: the thread, and how often it came here before.
struct Site {
    unsigned block, thread, visit;
};

struct Orders {
    int finding; // the finding whose sites are live; -1 for none
    int first;   // the access that goes first, 0 or 1
    Site site[2];
    unsigned visits[2];
    int done[2];
    int late[2]; // the second access gave up waiting for the first
};

__device__ Orders orders_state;

#ifdef __CUDACC__
__device__ inline bool is_at(volatile Orders &s, int who)
{
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return s.site[who].block == block && s.site[who].thread == thread;
}

// Before the statement of an access: the second thread waits until the first one is done.
__device__ inline void order_before(int finding, int who)
{
#ifdef __CUDA_ARCH__
    volatile Orders &s = orders_state;
    if (s.finding != finding || !is_at(s, who)) {
        return;
    }
    unsigned visit = s.visits[who];
    s.visits[who] = visit + 1;
    if (visit != s.site[who].visit || who == s.first) {
        return;
    }
    long long start = clock64();
    while (!s.done[1 - who]) {
        if (clock64() - start > 100000000LL) {
            s.late[who] = 1;
            break;
        }
    }
    __threadfence();
#endif
}

// After the statement of an access.
__device__ inline void order_after(int finding, int who)
{
#ifdef __CUDA_ARCH__
    volatile Orders &s = orders_state;
    if (s.finding != finding || !is_at(s, who)) {
        return;
    }
    __threadfence();
    if (s.visits[who] == s.site[who].visit + 1) {
        s.done[who] = 1;
    }
#endif
}

template <typename T>
__device__ inline T order_value(int finding, int who, T value)
{
    order_after(finding, who);
    return value;
}
#endif

#ifdef __CUDA_ARCH__
#define ORDER_BEFORE(f, w) ::hardware::order_before(f, w)
#define ORDER_AFTER(f, w) ::hardware::order_after(f, w)
#define ORDER_READ(f, w, e) (::hardware::order_before(f, w), ::hardware::order_value(f, w, (e)))
#else
#define ORDER_BEFORE(f, w) ((void)0)
#define ORDER_AFTER(f, w) ((void)0)
#define ORDER_READ(f, w, e) (e)
#endif

// ---- Launches ---------------------------------------------------------------------------------

// Fills the shared memory of every multiprocessor, so that stale contents differ between launches.
__global__ void fill_shared(unsigned pattern, unsigned words)
{
    extern __shared__ unsigned hardware_pool[];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
        ((volatile unsigned *)hardware_pool)[i] = pattern * (i + 1);
    }
}

// Traffic for the caches beside a kernel under stress.
__global__ void traffic(unsigned *scratch, unsigned seed, unsigned rounds)
{
    unsigned state = seed + blockIdx.x * 7919 + threadIdx.x * 104729;
    for (unsigned i = 0; i < rounds; i++) {
        state = state * 1664525u + 1013904223u;
        volatile unsigned *at = &scratch[(state >> 9) % (1 << 22)];
        if (state & 256) {
            *at = state;
        } else {
            state += *at & 1;
        }
    }
}

__global__ void differs(const unsigned char *a, const unsigned char *b, size_t n, unsigned *count)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        if (a[i] != b[i]) {
            *count = 1;
        }
    }
}

__global__ void add_up(unsigned *different, unsigned long long *total)
{
    *total += *different;
    *different = 0;
}

inline uint64_t scrambled(uint64_t number)
{
    uint64_t z = number + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// Contents of an array, as `lockstep run --arg` describes them.
struct Array {
    std::string kind = "zeros"; // zeros, iota, random, among, sparse, list, same
    int width = 4;
    bool is_float = false;
    uint64_t seed = 0;
    std::vector<uint64_t> patterns;
    std::vector<uint64_t> indices; // of `sparse`
    size_t bytes = 0;
    bool is_exact = false; // else there is room around the array
};

struct Launch {
    dim3 grid{1}, block{1};
    bool cooperative = false;
    long shared = -1; // bytes of dynamic shared memory; -1 for all that is left of 48 KiB
    std::vector<std::pair<std::string, std::string>> scalars; // by parameter, empty for arrays
    std::vector<Array> arrays;                                // parallel to `scalars`
    Site site[2]{};
    std::function<void(Launch &, const std::string &, int, int)> run;

    void scalar(const char *name, const char *value)
    {
        scalars.emplace_back(name, value);
        arrays.emplace_back();
    }
    void array(const char *name, Array array)
    {
        scalars.emplace_back(name, "");
        arrays.push_back(array);
    }
};

inline void fail(const char *what)
{
    printf("unsupported: %s\n", what);
    exit(5);
}

inline uint64_t number_as(int width, bool is_float, double value)
{
    uint64_t pattern = 0;
    if (is_float && width == 4) {
        float f = (float)value;
        memcpy(&pattern, &f, 4);
    } else if (is_float && width == 8) {
        memcpy(&pattern, &value, 8);
    } else {
        pattern = (uint64_t)(int64_t)value;
    }
    return pattern;
}

inline std::vector<unsigned char> contents(const Array &a)
{
    std::vector<unsigned char> bytes(a.bytes, 0);
    size_t count = a.bytes / a.width;
    std::map<uint64_t, uint64_t> sparse;
    for (size_t i = 0; i < a.indices.size(); i++) {
        sparse[a.indices[i]] = a.patterns[i];
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t p = 0;
        if (a.kind == "iota") {
            p = number_as(a.width, a.is_float, (double)i);
        } else if (a.kind == "random") {
            uint64_t r = scrambled(a.seed + scrambled(i));
            p = a.is_float ? number_as(a.width, true, (double)(r >> 53) / 2048.0) : r;
        } else if (a.kind == "among") {
            p = a.patterns[scrambled(a.seed + scrambled(i)) % a.patterns.size()];
        } else if (a.kind == "sparse") {
            auto found = sparse.find(i);
            p = found == sparse.end() ? 0 : found->second;
        } else if (a.kind == "list") {
            p = i < a.patterns.size() ? a.patterns[i] : 0;
        } else if (a.kind == "same") {
            p = a.patterns[0];
        } else {
            break;
        }
        memcpy(&bytes[i * a.width], &p, a.width);
    }
    return bytes;
}

// Variables at file scope: saved before the first launch, restored before each.
struct Variable {
    void *at;
    std::vector<unsigned char> start;
};
inline std::vector<Variable> variables;

template <typename T>
void variable(T &symbol)
{
    void *at = nullptr;
    size_t size = 0;
    if (cudaGetSymbolAddress(&at, symbol) == cudaSuccess &&
        cudaGetSymbolSize(&size, symbol) == cudaSuccess) {
        Variable v{at, std::vector<unsigned char>(size)};
        cudaMemcpy(v.start.data(), at, size, cudaMemcpyDefault);
        variables.push_back(v);
    }
    cudaGetLastError();
}

inline uint64_t hash(uint64_t h, const std::vector<unsigned char> &bytes)
{
    for (unsigned char b : bytes) {
        h = (h ^ b) * 1099511628211ull;
    }
    return h;
}

constexpr size_t ROOM = 1 << 20;

// Prepared parameters of a kernel.
struct Prepared {
    std::vector<std::vector<unsigned char>> blobs;
    std::vector<unsigned char *> arrays; // the address passed to the kernel
    std::vector<unsigned char *> bases;
    std::vector<std::vector<unsigned char>> start;
};

template <typename P>
void prepare(Launch &l, size_t index, Prepared &p)
{
    const std::string &text = l.scalars[index].second;
    std::vector<unsigned char> blob(sizeof(P), 0);
    unsigned char *at = nullptr, *base = nullptr;
    std::vector<unsigned char> start;
    if constexpr (std::is_pointer_v<P>) {
        if (!text.empty()) {
            fail("a number for a pointer");
        }
        Array &a = l.arrays[index];
        start = contents(a);
        size_t room = a.is_exact ? 0 : ROOM;
        if (cudaMalloc(&base, a.bytes + 3 * room + (a.bytes == 0 && room == 0)) != cudaSuccess) {
            fail("no memory");
        }
        cudaMemset(base, 0, a.bytes + 3 * room);
        at = base + room;
        memcpy(blob.data(), &at, sizeof at);
    } else if constexpr (std::is_floating_point_v<P>) {
        P value = (P)strtod(text.c_str(), nullptr);
        memcpy(blob.data(), &value, sizeof value);
    } else if constexpr (std::is_integral_v<P> || std::is_enum_v<P>) {
        long long value = text[0] == '-' ? strtoll(text.c_str(), nullptr, 0)
                                         : (long long)strtoull(text.c_str(), nullptr, 0);
        memcpy(blob.data(), &value, sizeof(P));
    } else {
        Array &a = l.arrays[index];
        a.bytes = sizeof(P);
        blob = contents(a);
        if (text.size()) {
            fail("a number for a struct");
        }
    }
    p.blobs.push_back(blob);
    p.arrays.push_back(at);
    p.bases.push_back(base);
    p.start.push_back(start);
}

inline bool finished(double seconds)
{
    auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(0) == cudaErrorNotReady) {
        if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >
            seconds) {
            return false;
        }
        usleep(50);
    }
    return true;
}

inline void give_up()
{
    printf("outcome hang\n");
    fflush(stdout);
    _exit(9);
}

template <typename... P>
struct Runner {
    void (*kernel)(P...);

    // Launches once and returns the hash of all arrays and variables.
    uint64_t once(Launch &l, Prepared &p, double seconds)
    {
        for (size_t i = 0; i < p.arrays.size(); i++) {
            if (p.arrays[i]) {
                cudaMemcpy(p.arrays[i], p.start[i].data(), p.start[i].size(),
                           cudaMemcpyHostToDevice);
            }
        }
        for (Variable &v : variables) {
            cudaMemcpy(v.at, v.start.data(), v.start.size(), cudaMemcpyDefault);
        }
        std::vector<void *> pointers;
        for (auto &blob : p.blobs) {
            pointers.push_back(blob.data());
        }
        cudaFuncAttributes attributes{};
        cudaFuncGetAttributes(&attributes, (const void *)kernel);
        size_t shared = l.shared >= 0 ? (size_t)l.shared : 49152 - attributes.sharedSizeBytes;
        cudaError_t error = l.cooperative
                                ? cudaLaunchCooperativeKernel((const void *)kernel, l.grid, l.block,
                                                              pointers.data(), shared, 0)
                                : cudaLaunchKernel((const void *)kernel, l.grid, l.block,
                                                   pointers.data(), shared, 0);
        if (error != cudaSuccess) {
            printf("outcome no-launch %s\n", cudaGetErrorName(error));
            exit(6);
        }
        if (!finished(seconds)) {
            give_up();
        }
        error = cudaDeviceSynchronize();
        if (error != cudaSuccess) {
            printf("outcome error %s\n", cudaGetErrorName(error));
            fflush(stdout);
            exit(7);
        }
        uint64_t h = 14695981039346656037ull;
        for (size_t i = 0; i < p.arrays.size(); i++) {
            if (p.arrays[i]) {
                std::vector<unsigned char> now(p.start[i].size());
                cudaMemcpy(now.data(), p.arrays[i], now.size(), cudaMemcpyDeviceToHost);
                h = hash(h, now);
            }
        }
        for (Variable &v : variables) {
            std::vector<unsigned char> now(v.start.size());
            cudaMemcpy(now.data(), v.at, now.size(), cudaMemcpyDefault);
            h = hash(h, now);
        }
        return h;
    }

    // Launches many times beside traffic, and counts the launches with another result than the
    // first.
    void stress(Launch &l, Prepared &p, double seconds)
    {
        cudaStream_t own, other;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        unsigned *scratch, *different;
        unsigned long long *total, count = 0;
        cudaMalloc(&scratch, 1 << 24);
        cudaMalloc(&different, 4);
        cudaMalloc(&total, 8);
        cudaMemset(different, 0, 4);
        cudaMemset(total, 0, 8);
        once(l, p, 5); // the expected results
        std::vector<unsigned char *> expected(p.arrays.size()), start(p.arrays.size());
        for (size_t i = 0; i < p.arrays.size(); i++) {
            if (p.arrays[i]) {
                cudaMalloc(&expected[i], p.start[i].size() + 1);
                cudaMalloc(&start[i], p.start[i].size() + 1);
                cudaMemcpy(expected[i], p.arrays[i], p.start[i].size(), cudaMemcpyDeviceToDevice);
                cudaMemcpy(start[i], p.start[i].data(), p.start[i].size(), cudaMemcpyHostToDevice);
            }
        }
        std::vector<unsigned char *> variable_copies;
        for (Variable &v : variables) {
            unsigned char *copy;
            cudaMalloc(&copy, v.start.size());
            cudaMemcpy(copy, v.start.data(), v.start.size(), cudaMemcpyHostToDevice);
            variable_copies.push_back(copy);
        }
        cudaFuncAttributes attributes{};
        cudaFuncGetAttributes(&attributes, (const void *)kernel);
        size_t shared = l.shared >= 0 ? (size_t)l.shared : 49152 - attributes.sharedSizeBytes;
        auto begin = std::chrono::steady_clock::now();
        auto passed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        unsigned long long launches = 0;
        for (unsigned batch = 0; passed() < seconds; batch++) {
            if (cudaStreamQuery(other) == cudaSuccess && batch % 3) {
                traffic<<<96, 512, 0, other>>>(scratch, batch, 3000);
            }
            for (size_t i = 0; i < p.arrays.size(); i++) {
                if (p.arrays[i] && !l.arrays[i].is_exact) {
                    // Other places, so that the arrays lie in other parts of the cache.
                    p.arrays[i] = p.bases[i] + (scrambled(batch * 16 + i) % (2 * ROOM / 256)) * 256;
                    memcpy(p.blobs[i].data(), &p.arrays[i], sizeof(void *));
                }
            }
            std::vector<void *> pointers;
            for (auto &blob : p.blobs) {
                pointers.push_back(blob.data());
            }
            for (int k = 0; k < 20; k++) {
                for (size_t i = 0; i < p.arrays.size(); i++) {
                    if (p.arrays[i]) {
                        cudaMemcpyAsync(p.arrays[i], start[i], p.start[i].size(),
                                        cudaMemcpyDeviceToDevice, own);
                    }
                }
                for (size_t i = 0; i < variables.size(); i++) {
                    cudaMemcpyAsync(variables[i].at, variable_copies[i], variables[i].start.size(),
                                    cudaMemcpyDefault, own);
                }
                cudaError_t error =
                    l.cooperative
                        ? cudaLaunchCooperativeKernel((const void *)kernel, l.grid, l.block,
                                                      pointers.data(), shared, own)
                        : cudaLaunchKernel((const void *)kernel, l.grid, l.block, pointers.data(),
                                           shared, own);
                if (error != cudaSuccess) {
                    printf("outcome no-launch %s\n", cudaGetErrorName(error));
                    exit(6);
                }
                for (size_t i = 0; i < p.arrays.size(); i++) {
                    if (p.arrays[i]) {
                        differs<<<1, 256, 0, own>>>(p.arrays[i], expected[i], p.start[i].size(),
                                                    different);
                    }
                }
                add_up<<<1, 1, 0, own>>>(different, total);
                launches++;
            }
            double from = passed();
            while (cudaStreamQuery(own) == cudaErrorNotReady) {
                if (passed() - from > 6) {
                    give_up();
                }
            }
        }
        cudaDeviceSynchronize();
        cudaMemcpy(&count, total, 8, cudaMemcpyDeviceToHost);
        printf("outcome stress launches %llu other results %llu %s\n", launches, count,
               cudaGetErrorName(cudaGetLastError()));
        for (size_t i = 0; i < p.arrays.size(); i++) {
            if (p.arrays[i]) {
                p.arrays[i] = p.bases[i];
            }
        }
    }

    void operator()(Launch &l, const std::string &mode, int finding, int times)
    {
        if (l.scalars.size() != sizeof...(P)) {
            fail("another number of parameters");
        }
        Prepared p;
        size_t index = 0;
        (prepare<P>(l, index++, p), ...);
        (void)index;
        if (mode == "once") {
            printf("outcome hash %016llx\n", (unsigned long long)once(l, p, 25));
        } else if (mode == "plain") {
            unsigned words = 12 * 1024 - 64;
            // Both kernels with the same division of the first-level cache, which keeps stale
            // contents.
            cudaFuncSetAttribute((const void *)fill_shared,
                                 cudaFuncAttributePreferredSharedMemoryCarveout, 100);
            cudaFuncSetAttribute((const void *)kernel,
                                 cudaFuncAttributePreferredSharedMemoryCarveout, 100);
            std::map<uint64_t, int> seen;
            auto begin = std::chrono::steady_clock::now();
            int launches = 0;
            for (; launches < times; launches++) {
                fill_shared<<<1056, 256, words * 4>>>(2654435761u * (launches % 7), words);
                seen[once(l, p, 5)]++;
                if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
                        .count() > 1) {
                    break;
                }
            }
            printf("outcome launches %d hashes %zu:", launches, seen.size());
            int shown = 0;
            for (auto &[h, n] : seen) {
                if (shown++ < 8) {
                    printf(" %016llx*%d", (unsigned long long)h, n);
                }
            }
            printf("\n");
        } else if (mode == "stress") {
            stress(l, p, times);
        } else if (mode == "orders") {
            uint64_t hashes[2];
            bool good[2];
            unsigned visits[2] = {0, 0};
            for (int first = 0; first < 2; first++) {
                Orders o{};
                o.finding = finding;
                o.first = first;
                o.site[0] = l.site[0];
                o.site[1] = l.site[1];
                cudaMemcpyToSymbol(orders_state, &o, sizeof o);
                hashes[first] = once(l, p, 6);
                cudaMemcpyFromSymbol(&o, orders_state, sizeof o);
                good[first] = o.done[0] && o.done[1] && !o.late[0] && !o.late[1];
                visits[0] = o.visits[0];
                visits[1] = o.visits[1];
                printf("order %d: done %d %d late %d %d visits %u %u hash %016llx\n", first,
                       o.done[0], o.done[1], o.late[0], o.late[1], o.visits[0], o.visits[1],
                       (unsigned long long)hashes[first]);
            }
            printf("outcome orders %d %d differ %d visits %u %u\n", good[0], good[1],
                   hashes[0] != hashes[1], visits[0], visits[1]);
        }
        for (unsigned char *base : p.bases) {
            cudaFree(base);
        }
    }
};

template <typename... P>
Runner<P...> runner(void (*kernel)(P...))
{
    return Runner<P...>{kernel};
}

inline int run_all(std::vector<Launch> &launches, int count, char **arguments)
{
    if (count < 3) {
        printf("usage: %s once|plain|orders|stress NUMBER|all [TIMES]\n", arguments[0]);
        return 2;
    }
    setvbuf(stdout, nullptr, _IOLBF, 0);
    std::string mode = arguments[1], which = arguments[2];
    int times = count > 3 ? atoi(arguments[3]) : 200;
    for (int i = 0; i < (int)launches.size(); i++) {
        if (which == "all" || atoi(which.c_str()) == i) {
            launches[i].run(launches[i], mode, i, times);
        }
    }
    return 0;
}

} // namespace hardware
