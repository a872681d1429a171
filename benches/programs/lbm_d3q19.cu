// program: lattice-Boltzmann flow in a 3-D channel, D3Q19, pull scheme on two lattices
// defect: stream_collide: race: main passes one lattice as source and target
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define Q 19
#define SAFE(x)                                                            \
    if ((x) != cudaSuccess) {                                              \
        fprintf(stderr, "CUDA failure in line %d\n", __LINE__);            \
        exit(3);                                                           \
    }

__constant__ int cx[Q], cy[Q], cz[Q], opposite[Q];
__constant__ float weight[Q];

struct Lattice {
    float *cells; // f[q][z][y][x]
    int nx, ny, nz;
};

__device__ __host__ inline int at(const Lattice &l, int q, int x, int y, int z)
{
    return ((q * l.nz + z) * l.ny + y) * l.nx + x;
}

__global__ void initialise(Lattice l, float density)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x >= l.nx) return;
    for (int q = 0; q < Q; q++) {
        l.cells[at(l, q, x, y, z)] = weight[q] * density;
    }
}

__global__ void stream_collide(Lattice from, Lattice to, const unsigned char *solid, float omega, float force)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    const int z = blockIdx.z;
    if (x >= from.nx) return;
    float f[Q];
    for (int q = 0; q < Q; q++) {
        const int sx = (x - cx[q] + from.nx) % from.nx;
        const int sy = (y - cy[q] + from.ny) % from.ny;
        const int sz = (z - cz[q] + from.nz) % from.nz;
        f[q] = from.cells[at(from, q, sx, sy, sz)]; //~ race
    }
    if (solid[(z * from.ny + y) * from.nx + x]) {
        for (int q = 0; q < Q; q++) {
            to.cells[at(to, opposite[q], x, y, z)] = f[q]; //~ race
        }
        return;
    }
    float rho = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    for (int q = 0; q < Q; q++) {
        rho += f[q];
        ux += f[q] * cx[q];
        uy += f[q] * cy[q];
        uz += f[q] * cz[q];
    }
    ux = ux / rho + force;
    uy /= rho;
    uz /= rho;
    const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int q = 0; q < Q; q++) {
        const float cu = 3.0f * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        const float equilibrium = weight[q] * rho * (1.0f + cu + 0.5f * cu * cu - square);
        to.cells[at(to, q, x, y, z)] = f[q] + omega * (equilibrium - f[q]); //~ race
    }
}

static void upload_directions()
{
    int x[Q], y[Q], z[Q], opp[Q], count = 0;
    float w[Q];
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int norm = dx * dx + dy * dy + dz * dz;
                if (norm == 3) continue;
                x[count] = dx;
                y[count] = dy;
                z[count] = dz;
                w[count++] = norm == 0 ? 1.0f / 3 : norm == 1 ? 1.0f / 18 : 1.0f / 36;
            }
    for (int q = 0; q < Q; q++) opp[q] = Q - 1 - q;
    SAFE(cudaMemcpyToSymbol(cx, x, sizeof(x)));
    SAFE(cudaMemcpyToSymbol(cy, y, sizeof(y)));
    SAFE(cudaMemcpyToSymbol(cz, z, sizeof(z)));
    SAFE(cudaMemcpyToSymbol(opposite, opp, sizeof(opp)));
    SAFE(cudaMemcpyToSymbol(weight, w, sizeof(w)));
}

int main(int argc, char **argv)
{
    int nx = 64, ny = 32, nz = 32, steps = 100;
    if (argc >= 4) {
        nx = atoi(argv[1]);
        ny = atoi(argv[2]);
        nz = atoi(argv[3]);
    }
    if (argc >= 5) steps = atoi(argv[4]);
    if (nx < 4 || ny < 4 || nz < 4 || nx > 256 || ny > 256 || nz > 256) {
        fprintf(stderr, "usage: %s [nx ny nz [steps]]\n", argv[0]);
        return 1;
    }
    upload_directions();
    const size_t cells = (size_t)nx * ny * nz, bytes = Q * cells * sizeof(float);
    Lattice a = {nullptr, nx, ny, nz}, b = a;
    SAFE(cudaMalloc(&a.cells, bytes));
    SAFE(cudaMalloc(&b.cells, bytes));
    std::vector<unsigned char> walls(cells);
    for (size_t i = 0; i < cells; i++) {
        const int y = i / nx % ny, z = i / (nx * ny);
        walls[i] = y == 0 || y == ny - 1 || z == 0 || z == nz - 1;
    }
    unsigned char *solid;
    SAFE(cudaMalloc(&solid, cells));
    SAFE(cudaMemcpy(solid, walls.data(), cells, cudaMemcpyHostToDevice));
    const dim3 block(64), grid((nx + 63) / 64, ny, nz);
    initialise<<<grid, block>>>(a, 1.0f);
    initialise<<<grid, block>>>(b, 1.0f);
    for (int s = 0; s < steps; s++) {
#ifdef DEFECT
        stream_collide<<<grid, block>>>(a, a, solid, 1.2f, 1e-5f);
#else
        stream_collide<<<grid, block>>>(a, b, solid, 1.2f, 1e-5f);
#endif
        const Lattice swap = a;
        a = b;
        b = swap;
    }
    std::vector<float> f(Q * cells);
    SAFE(cudaMemcpy(f.data(), a.cells, bytes, cudaMemcpyDeviceToHost));
    double mass = 0.0;
    for (float value : f) mass += value;
    printf("mass %f of %zu\n", mass, cells);
    cudaFree(a.cells);
    cudaFree(b.cells);
    cudaFree(solid);
    return std::fabs(mass - double(cells)) < 1e-3 * cells ? 0 : 1;
}
