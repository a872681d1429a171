// program: 2-D wave equation with three rotating buffers, a boundary kernel and a source
// defect: absorb: bounds: the lower side is taken one row below the domain
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

static void check(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

struct Domain {
    int nx = 400, ny = 300;
    float courant = 0.5f;
    __host__ __device__ int at(int x, int y) const { return y * nx + x; }
};

__global__ void advance(Domain d, const float *previous, const float *current, float *next)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= d.nx - 1 || y >= d.ny - 1) return;
    const int i = d.at(x, y);
    const float laplacian = current[i - 1] + current[i + 1] + current[i - d.nx] + current[i + d.nx] - 4.0f * current[i];
    next[i] = 2.0f * current[i] - previous[i] + d.courant * d.courant * laplacian;
}

/* A thread has a cell of each side of the domain; the corners stay as they are. */
__global__ void absorb(Domain d, const float *current, float *next)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float factor = (d.courant - 1.0f) / (d.courant + 1.0f);
#ifdef DEFECT
    const int bottom = d.ny;
#else
    const int bottom = d.ny - 1;
#endif
    if (i > 0 && i < d.nx - 1) {
        const int up = d.at(i, 0), down = d.at(i, bottom);
        next[up] = current[up + d.nx] + factor * (next[up + d.nx] - current[up]);
        next[down] = current[down - d.nx] + factor * (next[down - d.nx] - current[down]); //~ bounds
    }
    if (i > 0 && i < d.ny - 1) {
        const int left = d.at(0, i), right = d.at(d.nx - 1, i);
        next[left] = current[left + 1] + factor * (next[left + 1] - current[left]);
        next[right] = current[right - 1] + factor * (next[right - 1] - current[right]);
    }
}

__global__ void add_source(float *field, int index, float value)
{
    field[index] += value;
}

class Wave {
public:
    explicit Wave(const Domain &domain) : domain_(domain), fields_(3)
    {
        for (float *&f : fields_) {
            check(cudaMalloc((void **)&f, bytes()));
            check(cudaMemset(f, 0, bytes()));
        }
    }
    ~Wave()
    {
        for (float *f : fields_) cudaFree(f);
    }
    void run(int steps)
    {
        const dim3 block(32, 16);
        const dim3 grid(blocks(domain_.nx - 2, block.x), blocks(domain_.ny - 2, block.y));
        const int side = std::max(domain_.nx, domain_.ny);
        for (int s = 0; s < steps; s++) {
            float *previous = fields_[s % 3], *current = fields_[(s + 1) % 3], *next = fields_[(s + 2) % 3];
            add_source<<<1, 1>>>(current, domain_.at(domain_.nx / 2, domain_.ny / 2), std::sin(0.1f * s));
            advance<<<grid, block>>>(domain_, previous, current, next);
            absorb<<<blocks(side, 64), 64>>>(domain_, current, next);
        }
        last_ = (steps + 1) % 3;
        check(cudaDeviceSynchronize());
    }
    std::vector<float> result() const
    {
        std::vector<float> host(bytes() / sizeof(float));
        check(cudaMemcpy(host.data(), fields_[last_], bytes(), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    size_t bytes() const { return sizeof(float) * domain_.nx * domain_.ny; }
    static unsigned blocks(int cells, unsigned threads) { return (cells + threads - 1) / threads; }
    Domain domain_;
    std::vector<float *> fields_;
    int last_ = 1;
};

int main(int argc, char **argv)
{
    Domain domain;
    int steps = 300;
    if (argc > 1) domain.nx = atoi(argv[1]);
    if (argc > 2) domain.ny = atoi(argv[2]);
    if (argc > 3) steps = atoi(argv[3]);
    if (domain.nx < 3 || domain.ny < 3 || domain.nx > 20000 || domain.ny > 20000 || steps < 0) {
        fprintf(stderr, "usage: %s [nx [ny [steps]]]\n", argv[0]);
        return 1;
    }
    try {
        auto wave = std::make_unique<Wave>(domain);
        wave->run(steps);
        double energy = 0.0;
        for (float v : wave->result()) energy += double(v) * v;
        printf("energy %f after %d steps\n", energy, steps);
        return std::isfinite(energy) ? 0 : 1;
    } catch (const std::exception &e) {
        fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
