//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As bitonic_step.cu, but the partner is found by adding instead of flipping bits: the partner of
// a thread's partner is then a third one, and both write the element in the middle.

__global__ void bitonic_step(int *a, unsigned distance, unsigned block)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned partner = i + distance;
    if (partner > i) {
        int mine = a[i]; //~ race mine
        int other = a[partner]; //~ race other
        bool ascending = (i & block) == 0;
        if ((mine > other) == ascending) {
            a[i] = other; //~ race other both
            a[partner] = mine; //~ race mine both
        }
    }
}

int main()
{
    const unsigned n = 1024;
    int *a;
    cudaMallocManaged(&a, n * sizeof(int));
    for (unsigned i = 0; i < n; i++) {
        a[i] = i * 7919 % 1009;
    }
    for (unsigned block = 2; block <= n; block *= 2) {
        for (unsigned distance = block / 2; distance > 0; distance /= 2) {
            bitonic_step<<<16, 64>>>(a, distance, block);
        }
    }
    cudaDeviceSynchronize();
    bool right = true;
    for (unsigned i = 1; i < n; i++) {
        right = right && a[i - 1] <= a[i];
    }
    cudaFree(a);
    return right ? 0 : 1;
}
