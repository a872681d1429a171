// program: mixture of experts: top-1 gating, dispatch of tokens by counters, combination
// defect: dispatch: bounds: a full expert takes one token more; the last expert is popular
#include <cuda_runtime.h>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CUDA_OK(x)                                                                   \
    do {                                                                             \
        cudaError_t e = (x);                                                         \
        if (e != cudaSuccess) {                                                      \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

struct MoeConfig {
    int tokens = 1000;
    int hidden = 64;
    int experts = 8;
    int capacity = 0; // per expert
};

__global__ void gate(const float *logits, int *expert_of, float *score, int tokens, int experts)
{
    const int token = blockIdx.x * blockDim.x + threadIdx.x;
    if (token >= tokens) return;
    float best = -FLT_MAX, sum = 0.0f;
    int chosen = 0;
    for (int e = 0; e < experts; e++) {
        const float logit = logits[token * experts + e];
        if (logit > best) {
            best = logit;
            chosen = e;
        }
    }
    for (int e = 0; e < experts; e++) sum += expf(logits[token * experts + e] - best);
    expert_of[token] = chosen;
    score[token] = 1.0f / sum;
}

/* A block for each token; its first thread takes a slot in the buffer of the expert. */
__global__ void dispatch(const float *hidden_states, const int *expert_of, int *counters, int *slot_of, float *buffers,
                         int hidden, int capacity)
{
    __shared__ int slot;
    const int token = blockIdx.x;
    const int expert = expert_of[token];
    if (threadIdx.x == 0) {
        slot = atomicAdd(&counters[expert], 1);
#ifdef DEFECT
        slot_of[token] = slot <= capacity ? slot : -1;
#else
        slot_of[token] = slot < capacity ? slot : -1;
#endif
    }
    __syncthreads();
#ifdef DEFECT
    if (slot > capacity) return;
#else
    if (slot >= capacity) return;
#endif
    float *row = buffers + ((size_t)expert * capacity + slot) * hidden;
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
        row[i] = hidden_states[(size_t)token * hidden + i]; //~ bounds
    }
}

__global__ void expert_scale(float *buffers, const int *counters, const float *weights, int hidden, int capacity)
{
    const int expert = blockIdx.y;
    const int slot = blockIdx.x;
    if (slot >= min(counters[expert], capacity)) return;
    float *row = buffers + ((size_t)expert * capacity + slot) * hidden;
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
        row[i] *= weights[expert * hidden + i];
    }
}

__global__ void combine(float *out, const float *buffers, const int *expert_of, const int *slot_of, const float *score,
                        int hidden, int capacity)
{
    const int token = blockIdx.x;
    const int slot = slot_of[token];
    const float *row = buffers + ((size_t)expert_of[token] * capacity + slot) * hidden;
    for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
        out[(size_t)token * hidden + i] = slot < 0 ? 0.0f : score[token] * row[i];
    }
}

template <typename T>
struct DeviceBuffer {
    T *data = nullptr;
    size_t count;
    explicit DeviceBuffer(size_t n) : count(n)
    {
        CUDA_OK(cudaMalloc(&data, n * sizeof(T)));
        CUDA_OK(cudaMemset(data, 0, n * sizeof(T)));
    }
    explicit DeviceBuffer(const std::vector<T> &host) : DeviceBuffer(host.size())
    {
        CUDA_OK(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceBuffer(const DeviceBuffer &) = delete;
    ~DeviceBuffer() { cudaFree(data); }
    std::vector<T> download() const
    {
        std::vector<T> host(count);
        CUDA_OK(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

int main(int argc, char **argv)
{
    MoeConfig cfg;
    if (argc > 1) cfg.tokens = atoi(argv[1]);
    if (argc > 2) cfg.hidden = atoi(argv[2]);
    if (argc > 3) cfg.experts = atoi(argv[3]);
    if (cfg.tokens < 1 || cfg.hidden < 1 || cfg.experts < 1 || cfg.experts > 64 || cfg.tokens > 100000 ||
        cfg.hidden > 4096) {
        return 1;
    }
    cfg.capacity = (cfg.tokens + cfg.experts - 1) / cfg.experts;
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    std::vector<float> states((size_t)cfg.tokens * cfg.hidden), logits(cfg.tokens * cfg.experts);
    for (float &x : states) x = normal(random);
    for (float &x : logits) x = normal(random);
    for (int t = 0; t < cfg.tokens; t++) logits[t * cfg.experts + cfg.experts - 1] += 0.5f; // the last is popular
    DeviceBuffer<float> d_states(states), d_logits(logits), d_out(states.size());
    DeviceBuffer<float> d_weights(std::vector<float>(cfg.experts * cfg.hidden, 2.0f)), d_score(cfg.tokens);
    DeviceBuffer<float> d_buffers((size_t)cfg.experts * cfg.capacity * cfg.hidden);
    DeviceBuffer<int> d_expert(cfg.tokens), d_slot(cfg.tokens), d_counters(cfg.experts);
    gate<<<(cfg.tokens + 127) / 128, 128>>>(d_logits.data, d_expert.data, d_score.data, cfg.tokens, cfg.experts);
    dispatch<<<cfg.tokens, 64>>>(d_states.data, d_expert.data, d_counters.data, d_slot.data, d_buffers.data, cfg.hidden,
                                 cfg.capacity);
    expert_scale<<<dim3(cfg.capacity, cfg.experts), 64>>>(d_buffers.data, d_counters.data, d_weights.data, cfg.hidden,
                                                          cfg.capacity);
    combine<<<cfg.tokens, 64>>>(d_out.data, d_buffers.data, d_expert.data, d_slot.data, d_score.data, cfg.hidden,
                                cfg.capacity);
    CUDA_OK(cudaDeviceSynchronize());
    const std::vector<int> slots = d_slot.download();
    const std::vector<float> out = d_out.download(), score = d_score.download();
    int dropped = 0, wrong = 0;
    for (int t = 0; t < cfg.tokens; t++) {
        dropped += slots[t] < 0;
        for (int i = 0; i < cfg.hidden; i++) {
            const size_t at = (size_t)t * cfg.hidden + i;
            wrong += out[at] != (slots[t] < 0 ? 0.0f : score[t] * (2.0f * states[at]));
        }
    }
    printf("%d tokens dropped, %d values wrong\n", dropped, wrong);
    return wrong != 0;
}
