//pass
//--local_size=256 --num_groups=64
// Structs of three words are copied, with the block's number in them, each thread's 16384 apart. That two of them do not
// overlap takes a division by three.

struct Colour {
    unsigned red, green, blue;
};

__global__ void copy(Colour *out, const Colour *in, int n)
{
    int step = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        Colour colour = in[i];
        colour.red += blockIdx.x;
        out[i] = colour;
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
