// program: counts 64-bit keys in an open-addressing hash table, then looks them up
// defect: insert: race: a slot that looks empty is taken by a plain store
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unordered_map>
#include <vector>

#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)
static inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

typedef unsigned long long Key;
constexpr Key EMPTY = 0xffffffffffffffffull;

struct Slot {
    Key key;
    uint32_t count;
    uint32_t unused;
};

__device__ uint32_t hash(Key key, uint32_t capacity)
{
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdull;
    key ^= key >> 33;
    return (uint32_t)key & (capacity - 1);
}

__global__ void clear(Slot *slots, uint32_t capacity)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < capacity) {
        slots[i].key = EMPTY;
        slots[i].count = 0;
    }
}

__global__ void insert(Slot *slots, uint32_t capacity, const Key *keys, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Key key = keys[i];
    uint32_t slot = hash(key, capacity);
    while (true) {
#ifdef DEFECT
        Key previous = slots[slot].key; //~ race
        if (previous == EMPTY) slots[slot].key = key; //~ race
#else
        const Key previous = atomicCAS(&slots[slot].key, EMPTY, key);
#endif
        if (previous == EMPTY || previous == key) {
            atomicAdd(&slots[slot].count, 1u);
            return;
        }
        slot = (slot + 1) & (capacity - 1);
    }
}

__global__ void lookup(const Slot *slots, uint32_t capacity, const Key *keys, uint32_t *counts, uint32_t n)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t slot = hash(keys[i], capacity);
    while (slots[slot].key != keys[i] && slots[slot].key != EMPTY) {
        slot = (slot + 1) & (capacity - 1);
    }
    counts[i] = slots[slot].key == EMPTY ? 0 : slots[slot].count;
}

class HashTable {
public:
    explicit HashTable(uint32_t expected)
    {
        while (capacity_ < 2 * expected) capacity_ *= 2;
        gpuErrchk(cudaMalloc(&slots_, capacity_ * sizeof(Slot)));
        clear<<<blocks(capacity_), kThreads>>>(slots_, capacity_);
    }
    ~HashTable() { cudaFree(slots_); }
    void add(const Key *keys, uint32_t n) { insert<<<blocks(n), kThreads>>>(slots_, capacity_, keys, n); }
    void find(const Key *keys, uint32_t *counts, uint32_t n)
    {
        lookup<<<blocks(n), kThreads>>>(slots_, capacity_, keys, counts, n);
    }

private:
    static constexpr uint32_t kThreads = 256;
    static uint32_t blocks(uint32_t n) { return (n + kThreads - 1) / kThreads; }
    Slot *slots_ = nullptr;
    uint32_t capacity_ = 1024;
};

int main(int argc, char **argv)
{
    const uint32_t n = argc > 1 ? strtoul(argv[1], nullptr, 0) : 200000;
    const uint32_t distinct = argc > 2 ? strtoul(argv[2], nullptr, 0) : 30000;
    const uint32_t batch = 65536;
    if (n < 1 || distinct < 1 || n > 50000000 || distinct > n) return 1;
    std::mt19937_64 random(3);
    std::vector<Key> words(distinct), keys(n);
    for (Key &w : words) w = random() >> 1;
    for (Key &k : keys) k = words[random() % distinct];
    Key *d_keys;
    uint32_t *d_counts;
    gpuErrchk(cudaMalloc(&d_keys, n * sizeof(Key)));
    gpuErrchk(cudaMalloc(&d_counts, n * sizeof(uint32_t)));
    gpuErrchk(cudaMemcpy(d_keys, keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice));
    HashTable table(distinct);
    for (uint32_t begin = 0; begin < n; begin += batch) {
        table.add(d_keys + begin, n - begin < batch ? n - begin : batch);
    }
    table.find(d_keys, d_counts, n);
    std::vector<uint32_t> counts(n);
    gpuErrchk(cudaMemcpy(counts.data(), d_counts, n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    std::unordered_map<Key, uint32_t> expected;
    for (Key k : keys) expected[k]++;
    int wrong = 0;
    for (uint32_t i = 0; i < n; i++) wrong += counts[i] != expected[keys[i]];
    printf("%zu distinct words, %d counts wrong\n", expected.size(), wrong);
    cudaFree(d_keys);
    cudaFree(d_counts);
    return wrong != 0;
}
