//xfail:NOT_ALL_VERIFIED
//--local_size=256 --num_groups=64
// As struct_copy_strided.cu, but the step is one too small: the first thread comes to the struct that the last thread of
// the launch comes to, and each puts its own block's number there.

struct Colour {
    unsigned red, green, blue;
};

__global__ void copy(Colour *out, const Colour *in, int n)
{
    int step = blockDim.x * gridDim.x - 1;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        Colour colour = in[i];
        colour.red += blockIdx.x;
        out[i] = colour; //~ race
    }
}

int main()
{
    const int n = 100000;
    Colour *in, *out;
    cudaMallocManaged(&in, n * sizeof(Colour));
    cudaMallocManaged(&out, n * sizeof(Colour));
    for (int i = 0; i < n; i++) {
        in[i] = {1u * i, 2u * i, 3u * i};
    }
    copy<<<64, 256>>>(out, in, n);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < n; i++) {
        bool same = out[i].green == in[i].green && out[i].blue == in[i].blue;
        right = right && same && out[i].red == in[i].red + i / 256 % 64;
    }
    cudaFree(in);
    cudaFree(out);
    return right ? 0 : 1;
}
