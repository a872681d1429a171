// program: embedding layer: gather of rows, scatter-add of gradients, SGD on touched rows
// defect: embedding_backward: race: gradients of the same word are added without atomics
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t error, int line)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "CUDA error in line %d: %s\n", line, cudaGetErrorString(error));
    exit(1);
}
#define CHECK(x) check(x, __LINE__)

struct Embedding {
    int vocabulary;
    int dim;
    float *table;
    float *gradient;
};

__global__ void embedding_forward(const int *tokens, const float *table, float *out, int count, int dim)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count * dim) return;
    const int t = index / dim;
    const int d = index % dim;
    out[index] = table[tokens[t] * dim + d];
}

__global__ void embedding_backward(const int *tokens, float *gradient, const float *out_gradient, int count, int dim)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count * dim) return;
    const int t = index / dim;
    const int d = index % dim;
#ifdef DEFECT
    gradient[tokens[t] * dim + d] += out_gradient[index]; //~ race
#else
    atomicAdd(&gradient[tokens[t] * dim + d], out_gradient[index]);
#endif
}

__global__ void mark_touched(const int *tokens, int *touched, int count)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < count) touched[tokens[t]] = 1;
}

__global__ void sgd(float4 *table, float4 *gradient, const int *touched, float rate, int rows, int quads)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows || !touched[row]) return;
    for (int q = threadIdx.x; q < quads; q += blockDim.x) {
        float4 w = table[row * quads + q];
        const float4 g = gradient[row * quads + q];
        w.x -= rate * g.x;
        w.y -= rate * g.y;
        w.z -= rate * g.z;
        w.w -= rate * g.w;
        table[row * quads + q] = w;
        gradient[row * quads + q] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
}

static void create(Embedding *e, int vocabulary, int dim)
{
    e->vocabulary = vocabulary;
    e->dim = dim;
    const size_t bytes = sizeof(float) * vocabulary * dim;
    CHECK(cudaMalloc(&e->table, bytes));
    CHECK(cudaMalloc(&e->gradient, bytes));
    std::vector<float> host((size_t)vocabulary * dim, 1.0f);
    CHECK(cudaMemcpy(e->table, host.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(e->gradient, 0, bytes));
}

static void step(Embedding &e, const int *d_tokens, float *d_out, int *d_touched, int count, float rate)
{
    const int threads = 256;
    const int blocks = (count * e.dim + threads - 1) / threads;
    CHECK(cudaMemset(d_touched, 0, e.vocabulary * sizeof(int)));
    embedding_forward<<<blocks, threads>>>(d_tokens, e.table, d_out, count, e.dim);
    // The gradient of half the squared norm of the output is the output itself.
    embedding_backward<<<blocks, threads>>>(d_tokens, e.gradient, d_out, count, e.dim);
    mark_touched<<<(count + threads - 1) / threads, threads>>>(d_tokens, d_touched, count);
    const dim3 block(16, 8);
    sgd<<<(e.vocabulary + block.y - 1) / block.y, block>>>((float4 *)e.table, (float4 *)e.gradient, d_touched, rate,
                                                           e.vocabulary, e.dim / 4);
    CHECK(cudaGetLastError());
}

int main(int argc, char **argv)
{
    int vocabulary = 1000, dim = 96, count = 2048, steps = 5;
    if (argc > 1) vocabulary = atoi(argv[1]);
    if (argc > 2) dim = atoi(argv[2]);
    if (argc > 3) count = atoi(argv[3]);
    if (vocabulary < 1 || dim < 4 || dim % 4 || count < 1 || (long long)vocabulary * dim > (1 << 28) ||
        (long long)count * dim > (1 << 28)) {
        fprintf(stderr, "usage: %s [vocabulary [dim [count]]]\n", argv[0]);
        return 1;
    }
    Embedding e;
    create(&e, vocabulary, dim);
    std::vector<int> tokens(count), uses(vocabulary, 0);
    for (int &t : tokens) {
        t = (rand() % vocabulary) * (rand() % 100) / 100;
        uses[t]++;
    }
    int *d_tokens, *d_touched;
    float *d_out;
    CHECK(cudaMalloc(&d_tokens, count * sizeof(int)));
    CHECK(cudaMalloc(&d_touched, vocabulary * sizeof(int)));
    CHECK(cudaMalloc(&d_out, sizeof(float) * count * dim));
    CHECK(cudaMemcpy(d_tokens, tokens.data(), count * sizeof(int), cudaMemcpyHostToDevice));
    const float rate = 1e-4f;
    for (int s = 0; s < steps; s++) step(e, d_tokens, d_out, d_touched, count, rate);
    std::vector<float> table((size_t)vocabulary * dim);
    CHECK(cudaMemcpy(table.data(), e.table, table.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int v = 0; v < vocabulary; v++) {
        float expected = 1.0f;
        for (int s = 0; s < steps; s++) expected -= rate * uses[v] * expected;
        for (int d = 0; d < dim; d++) {
            const float difference = table[(size_t)v * dim + d] - expected;
            wrong += difference > 1e-4f || difference < -1e-4f;
        }
    }
    printf("%d wrong weights\n", wrong);
    for (void *p : {(void *)e.table, (void *)e.gradient, (void *)d_tokens, (void *)d_touched, (void *)d_out}) cudaFree(p);
    return wrong != 0;
}
