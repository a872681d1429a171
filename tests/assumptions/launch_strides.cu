//pass
//--block-dim=* --grid-dim=*
// assumes: loop counters that advance by sizes of the launch do not wrap (--wrapping-strides) (line 9)
// otherwise verified: --block-dim=64 --grid-dim=8 --kernel-args=scale,100
// With 2^31 - 2 threads and n = 2^31 - 1 a thread comes to a[-2] of another one after a[2^31 - 4].
// No run of this size ends.

__global__ void scale(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        a[i] *= 2;
}
