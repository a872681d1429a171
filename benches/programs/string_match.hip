// program: finds all occurrences of a pattern in a text, positions in a list with a counter
// defect: find: bounds: the end of the text is searched, where the pattern does not fit
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#define HIP_OK(x)                                                                     \
    if (hipError_t e = (x); e != hipSuccess) {                                        \
        std::cerr << #x << ": " << hipGetErrorString(e) << std::endl;                 \
        exit(1);                                                                      \
    }

constexpr int MAX_PATTERN = 256;

__constant__ char pattern[MAX_PATTERN];

__global__ void find(const char *text, int length, int pattern_length, int *positions, int *count, int capacity)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef DEFECT
    if (i >= length) return;
#else
    if (i > length - pattern_length) return;
#endif
    for (int j = 0; j < pattern_length; j++) {
        const char letter = text[i + j]; //~ bounds
        if (letter != pattern[j]) return;
    }
    const int place = atomicAdd(count, 1);
    if (place < capacity) {
        positions[place] = i;
    }
}

__global__ void letter_counts(const char *text, int length, unsigned int *counts)
{
    __shared__ unsigned int local_counts[26];
    if (threadIdx.x < 26) local_counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += blockDim.x * gridDim.x) {
        const char c = text[i];
        if (c >= 'a' && c <= 'z') atomicAdd(&local_counts[c - 'a'], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&counts[threadIdx.x], local_counts[threadIdx.x]);
}

static std::string make_text(const char *path)
{
    if (path) {
        std::ifstream in(path);
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
    std::string text;
    for (int i = 0; i < 100001; i++) text += "abac"[rand() % 4];
    return text;
}

int main(int argc, char **argv)
{
    const std::string needle = argc > 1 ? argv[1] : "abacab";
    const std::string text = make_text(argc > 2 ? argv[2] : nullptr);
    if (needle.empty() || needle.size() > MAX_PATTERN || text.size() < needle.size() || text.size() > 1u << 30) {
        std::cerr << "bad pattern or text" << std::endl;
        return 1;
    }
    const int length = (int)text.size(), capacity = 100000;
    char *d_text;
    int *d_positions, *d_count, count;
    unsigned int *d_letters;
    HIP_OK(hipMalloc(&d_text, length));
    HIP_OK(hipMalloc(&d_positions, capacity * sizeof(int)));
    HIP_OK(hipMalloc(&d_count, sizeof(int)));
    HIP_OK(hipMalloc(&d_letters, 26 * sizeof(unsigned int)));
    HIP_OK(hipMemset(d_count, 0, sizeof(int)));
    HIP_OK(hipMemset(d_letters, 0, 26 * sizeof(unsigned int)));
    HIP_OK(hipMemcpy(d_text, text.data(), length, hipMemcpyHostToDevice));
    HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(pattern), needle.data(), needle.size()));
    const int threads = 256;
    find<<<(length + threads - 1) / threads, threads>>>(d_text, length, (int)needle.size(), d_positions, d_count,
                                                        capacity);
    letter_counts<<<64, threads>>>(d_text, length, d_letters);
    HIP_OK(hipDeviceSynchronize());
    HIP_OK(hipMemcpy(&count, d_count, sizeof(int), hipMemcpyDeviceToHost));
    std::vector<int> positions(std::min(count, capacity)), expected;
    HIP_OK(hipMemcpy(positions.data(), d_positions, positions.size() * sizeof(int), hipMemcpyDeviceToHost));
    std::sort(positions.begin(), positions.end());
    for (size_t at = text.find(needle); at != std::string::npos; at = text.find(needle, at + 1)) {
        expected.push_back((int)at);
    }
    const bool right = count > capacity || positions == expected;
    std::cout << count << " occurrences, " << (right ? "right" : "wrong") << std::endl;
    HIP_OK(hipFree(d_text));
    HIP_OK(hipFree(d_positions));
    HIP_OK(hipFree(d_count));
    HIP_OK(hipFree(d_letters));
    return right ? 0 : 1;
}
