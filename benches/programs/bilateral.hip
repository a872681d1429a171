// program: bilateral filter of an RGBA image, weights in constant memory, two images in turn
// defect: bilateral: bounds: neighbours are clipped to the width and height, not to one less
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define RADIUS_MAX 16
#define CHECK(c) do { hipError_t r = (c); if (r) { printf("%d: %s\n", __LINE__, hipGetErrorString(r)); exit(1); } } while (0)

__constant__ float spatial[2 * RADIUS_MAX + 1];

__device__ float range_weight(float4 a, float4 b, float sigma)
{
    const float d = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
    return __expf(-d / (2.0f * sigma * sigma));
}

__global__ void bilateral(const float4 *in, float4 *out, int width, int height, int radius, float sigma)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float4 centre = in[y * width + x];
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float weights = 0.0f;
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
#ifdef DEFECT
            const int nx = min(max(x + dx, 0), width), ny = min(max(y + dy, 0), height);
#else
            const int nx = min(max(x + dx, 0), width - 1), ny = min(max(y + dy, 0), height - 1);
#endif
            const float4 pixel = in[ny * width + nx]; //~ bounds
            const float w = spatial[dx + radius] * spatial[dy + radius] * range_weight(centre, pixel, sigma);
            sum.x += w * pixel.x;
            sum.y += w * pixel.y;
            sum.z += w * pixel.z;
            weights += w;
        }
    }
    out[y * width + x] = make_float4(sum.x / weights, sum.y / weights, sum.z / weights, centre.w);
}

struct FilterOptions {
    int width, height, radius, repeats;
    float sigma;
};

static void parse(FilterOptions &o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        if (!value) continue;
        if (!strncmp(argv[i], "width", 5)) o.width = atoi(value + 1);
        if (!strncmp(argv[i], "height", 6)) o.height = atoi(value + 1);
        if (!strncmp(argv[i], "radius", 6)) o.radius = atoi(value + 1);
        if (!strncmp(argv[i], "repeats", 7)) o.repeats = atoi(value + 1);
    }
    if (o.width < 1 || o.height < 1 || o.width > 10000 || o.height > 10000 || o.radius < 0 || o.radius > RADIUS_MAX) {
        printf("options out of range\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    FilterOptions o = {641, 481, 5, 2, 0.1f};
    parse(o, argc, argv);
    std::vector<float4> image((size_t)o.width * o.height);
    for (size_t i = 0; i < image.size(); i++) {
        const float v = (i % o.width) * 2 < (size_t)o.width ? 0.2f : 0.8f;
        image[i] = make_float4(v, v, v, 1.0f);
    }
    float weights[2 * RADIUS_MAX + 1] = {0};
    for (int d = -o.radius; d <= o.radius; d++) weights[d + o.radius] = expf(-0.05f * d * d);
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(spatial), weights, sizeof(weights)));
    float4 *source, *target;
    const size_t bytes = image.size() * sizeof(float4);
    CHECK(hipMalloc((void **)&source, bytes));
    CHECK(hipMalloc((void **)&target, bytes));
    CHECK(hipMemcpy(source, image.data(), bytes, hipMemcpyHostToDevice));
    hipStream_t stream;
    CHECK(hipStreamCreate(&stream));
    const dim3 block(16, 16);
    const dim3 grid((o.width + block.x - 1) / block.x, (o.height + block.y - 1) / block.y);
    for (int r = 0; r < o.repeats; r++) {
        bilateral<<<grid, block, 0, stream>>>(source, target, o.width, o.height, o.radius, o.sigma);
        float4 *t = source;
        source = target;
        target = t;
    }
    CHECK(hipStreamSynchronize(stream));
    CHECK(hipMemcpy(image.data(), source, bytes, hipMemcpyDeviceToHost));
    printf("left %f, right %f\n", image[0].x, image[o.width - 1].x);
    CHECK(hipStreamDestroy(stream));
    CHECK(hipFree(source));
    CHECK(hipFree(target));
    return 0;
}
