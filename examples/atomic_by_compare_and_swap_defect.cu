//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As atomic_by_compare_and_swap.cu, but the first look at the cell is a plain read, which races with
// the atomics of the other threads.

__device__ void atomic_max(float *address, float value)
{
    int *cell = reinterpret_cast<int *>(address);
    int seen = *cell; //~ race
    while (__int_as_float(seen) < value) {
        int found = atomicCAS(cell, seen, __float_as_int(value)); //~ race
        if (found == seen) {
            break;
        }
        seen = found;
    }
}

__global__ void largest(const float *in, float *squares, float *out, int n)
{
    int gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid < n) {
        squares[gid] = in[gid] * in[gid];
        atomic_max(out, squares[gid]);
    }
}

int main()
{
    const int n = 1000;
    float *in, *squares, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&squares, n * sizeof(float));
    cudaMallocManaged(&out, sizeof(float));
    for (int i = 0; i < n; i++) {
        in[i] = i * 7919 % 1009;
    }
    in[500] = 5000.0f;
    *out = 0.0f;
    largest<<<16, 64>>>(in, squares, out, n);
    cudaDeviceSynchronize();
    bool right = *out == 5000.0f * 5000.0f;
    cudaFree(in);
    cudaFree(squares);
    cudaFree(out);
    return right ? 0 : 1;
}
