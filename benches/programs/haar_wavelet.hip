// program: multi-level Haar wavelet transform of a signal and its inverse, a launch for each level
// defect: forward: race: main transforms in place, over samples that others have yet to read
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HIP(x) hip_check((x), __LINE__)
static void hip_check(hipError_t e, int line)
{
    if (e != hipSuccess) {
        fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(e));
        exit(1);
    }
}

constexpr float R = 0.70710678f;

/* Averages go to the first half of out, details to the second. */
__global__ void forward(const float *in, float *out, int half)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    const float a = in[2 * i], b = in[2 * i + 1]; //~ race
    out[i] = (a + b) * R; //~ race
    out[half + i] = (a - b) * R; //~ race
}

__global__ void inverse(const float *in, float *out, int half)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= half) return;
    const float a = in[i], d = in[half + i];
    out[2 * i] = (a + d) * R;
    out[2 * i + 1] = (a - d) * R;
}

__global__ void shrink(float *details, int n, float limit)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const float d = details[i];
        details[i] = fabsf(d) <= limit ? 0.0f : d > 0.0f ? d - limit : d + limit;
    }
}

class Haar {
public:
    explicit Haar(int n) : n_(n) { HIP(hipMalloc(&scratch_, n * sizeof(float))); }
    ~Haar() { (void)hipFree(scratch_); }
    void analyse(float *data, int levels)
    {
        int length = n_;
        for (int l = 0; l < levels && length % 2 == 0; l++, length /= 2) {
#ifdef DEFECT
            forward<<<blocks(length / 2), threads>>>(data, data, length / 2);
#else
            forward<<<blocks(length / 2), threads>>>(data, scratch_, length / 2);
            HIP(hipMemcpy(data, scratch_, length * sizeof(float), hipMemcpyDeviceToDevice));
#endif
        }
    }
    void synthesise(float *data, int levels)
    {
        int done = 0;
        while (done < levels && (n_ >> done) % 2 == 0) done++;
        for (int l = done - 1; l >= 0; l--) {
            const int length = n_ >> l;
            inverse<<<blocks(length / 2), threads>>>(data, scratch_, length / 2);
            HIP(hipMemcpy(data, scratch_, length * sizeof(float), hipMemcpyDeviceToDevice));
        }
    }

private:
    static constexpr int threads = 256;
    static int blocks(int n) { return (n + threads - 1) / threads; }
    int n_;
    float *scratch_ = nullptr;
};

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
    const int levels = argc > 2 ? atoi(argv[2]) : 8;
    const float limit = argc > 3 ? (float)atof(argv[3]) : 0.0f;
    if (n < 2 || n % 2 || n > (1 << 26) || levels < 1 || levels > 20) return 1;
    std::vector<float> signal(n), result(n);
    for (int i = 0; i < n; i++) signal[i] = sinf(0.01f * i) + (i % 100 == 0);
    float *data;
    HIP(hipMalloc(&data, n * sizeof(float)));
    HIP(hipMemcpy(data, signal.data(), n * sizeof(float), hipMemcpyHostToDevice));
    Haar haar(n);
    haar.analyse(data, levels);
    shrink<<<32, 256>>>(data + n / 2, n / 2, limit);
    haar.synthesise(data, levels);
    HIP(hipMemcpy(result.data(), data, n * sizeof(float), hipMemcpyDeviceToHost));
    float worst = 0.0f;
    for (int i = 0; i < n; i++) worst = fmaxf(worst, fabsf(result[i] - signal[i]));
    printf("largest difference %g\n", worst);
    HIP(hipFree(data));
    return worst <= 1e-3f + 10 * limit ? 0 : 1;
}
