// program: forward pass of a CNN in NCHW: convolution, ReLU, response norm, max pooling
// defect: max_pool: bounds: windows at the edge are not clipped, and 27 rows are odd
#include <cuda_runtime.h>
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CUDA_CHECK(x)                                                                            \
    do {                                                                                         \
        cudaError_t error = x;                                                                   \
        if (error != cudaSuccess) {                                                              \
            fprintf(stderr, "%s (%s:%d)\n", cudaGetErrorString(error), __FILE__, __LINE__);      \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

const int CUDA_NUM_THREADS = 512;
inline int GET_BLOCKS(const int n) { return (n + CUDA_NUM_THREADS - 1) / CUDA_NUM_THREADS; }

struct Shape {
    int n, c, h, w;
    int count() const { return n * c * h * w; }
};

__global__ void conv2d_forward(int count, const float *in, const float *weight, const float *bias, float *out,
                               int in_c, int in_h, int in_w, int out_c, int out_h, int out_w, int kernel, int stride,
                               int pad)
{
    CUDA_KERNEL_LOOP(index, count)
    {
        const int w = index % out_w;
        const int h = (index / out_w) % out_h;
        const int c = (index / out_w / out_h) % out_c;
        const int n = index / out_w / out_h / out_c;
        float value = bias[c];
        for (int ic = 0; ic < in_c; ic++) {
            for (int kh = 0; kh < kernel; kh++) {
                for (int kw = 0; kw < kernel; kw++) {
                    const int y = h * stride - pad + kh, x = w * stride - pad + kw;
                    if (y >= 0 && y < in_h && x >= 0 && x < in_w) {
                        value += in[((n * in_c + ic) * in_h + y) * in_w + x] *
                                 weight[((c * in_c + ic) * kernel + kh) * kernel + kw];
                    }
                }
            }
        }
        out[index] = value;
    }
}

__global__ void relu(int count, float *data)
{
    CUDA_KERNEL_LOOP(index, count)
    {
        data[index] = data[index] > 0 ? data[index] : 0;
    }
}

/* A thread walks along the channels of a pixel with a running sum of squares. */
__global__ void lrn(int pixels, const float *in, float *out, int channels, int height, int width, int size,
                    float alpha, float beta)
{
    CUDA_KERNEL_LOOP(index, pixels)
    {
        const int w = index % width;
        const int h = (index / width) % height;
        const int n = index / width / height;
        const int step = height * width;
        const int offset = (n * channels * height + h) * width + w;
        const int pad = (size - 1) / 2;
        float sum = 0;
        for (int head = 0; head < channels + pad; head++) {
            if (head < channels) sum += in[offset + head * step] * in[offset + head * step];
            if (head >= size) sum -= in[offset + (head - size) * step] * in[offset + (head - size) * step];
            if (head >= pad) {
                const int c = head - pad;
                out[offset + c * step] = in[offset + c * step] * powf(1 + alpha / size * sum, -beta);
            }
        }
    }
}

__global__ void max_pool(int count, const float *in, float *out, int *mask, int channels, int height, int width,
                         int pooled_h, int pooled_w, int kernel, int stride)
{
    CUDA_KERNEL_LOOP(index, count)
    {
        const int pw = index % pooled_w;
        const int ph = (index / pooled_w) % pooled_h;
        const int c = (index / pooled_w / pooled_h) % channels;
        const int n = index / pooled_w / pooled_h / channels;
        const int h0 = ph * stride, w0 = pw * stride;
#ifdef DEFECT
        const int h1 = h0 + kernel, w1 = w0 + kernel;
#else
        const int h1 = min(h0 + kernel, height), w1 = min(w0 + kernel, width);
#endif
        const float *plane = in + (n * channels + c) * height * width;
        float best = -FLT_MAX;
        int where = -1;
        for (int h = h0; h < h1; h++) {
            for (int w = w0; w < w1; w++) {
                if (plane[h * width + w] > best) { //~ bounds
                    best = plane[h * width + w];
                    where = h * width + w;
                }
            }
        }
        out[index] = best;
        mask[index] = where;
    }
}

template <typename T>
T *device_array(size_t count)
{
    T *p;
    CUDA_CHECK(cudaMalloc((void **)&p, count * sizeof(T)));
    CUDA_CHECK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

int main(int argc, char **argv)
{
    Shape in = {argc > 1 ? atoi(argv[1]) : 4, 3, 31, 29};
    const int kernel = 5, stride = 1, filters = 16;
    if (in.n < 1 || in.n > 256) return 1;
    const Shape conv = {in.n, filters, (in.h - kernel) / stride + 1, (in.w - kernel) / stride + 1};
    const Shape pool = {in.n, filters, (conv.h + 1) / 2, (conv.w + 1) / 2};
    std::vector<float> image(in.count()), weights(filters * in.c * kernel * kernel), result(pool.count());
    for (size_t i = 0; i < image.size(); i++) image[i] = (float)(i % 255) / 255;
    for (size_t i = 0; i < weights.size(); i++) weights[i] = (float)((int)(i % 11) - 5) / 50;
    float *d_in = device_array<float>(in.count()), *d_weights = device_array<float>(weights.size());
    float *d_bias = device_array<float>(filters), *d_conv = device_array<float>(conv.count());
    float *d_norm = device_array<float>(conv.count()), *d_pool = device_array<float>(pool.count());
    int *d_mask = device_array<int>(pool.count());
    CUDA_CHECK(cudaMemcpy(d_in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_weights, weights.data(), weights.size() * sizeof(float), cudaMemcpyHostToDevice));
    conv2d_forward<<<GET_BLOCKS(conv.count()), CUDA_NUM_THREADS>>>(
        conv.count(), d_in, d_weights, d_bias, d_conv, in.c, in.h, in.w, conv.c, conv.h, conv.w, kernel, stride, 0);
    relu<<<GET_BLOCKS(conv.count()), CUDA_NUM_THREADS>>>(conv.count(), d_conv);
    const int pixels = conv.n * conv.h * conv.w;
    lrn<<<GET_BLOCKS(pixels), CUDA_NUM_THREADS>>>(pixels, d_conv, d_norm, conv.c, conv.h, conv.w, 5, 1e-4f, 0.75f);
    max_pool<<<GET_BLOCKS(pool.count()), CUDA_NUM_THREADS>>>(pool.count(), d_norm, d_pool, d_mask, conv.c, conv.h,
                                                             conv.w, pool.h, pool.w, 2, 2);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(result.data(), d_pool, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float value : result) sum += value;
    printf("sum of activations %f\n", sum);
    for (float *p : {d_in, d_weights, d_bias, d_conv, d_norm, d_pool}) CUDA_CHECK(cudaFree(p));
    CUDA_CHECK(cudaFree(d_mask));
    return sum >= 0 ? 0 : 1;
}
