//causes: 3
//--blockDim=256 --gridDim=1
// A missing barrier, another one, and a barrier that not all threads reach.

__global__ void smooth(float *a, const float *b, int n) {
    __shared__ float s[256];
    __shared__ float q[256];
    int t = threadIdx.x;
    s[t] = a[t]; //~ race first third
    q[t] = b[t]; //~ race second
#ifdef MENDED
    __syncthreads();
#endif
    float x = s[(t + 1) % 256] //~ race first fourth
            + q[(t + 2) % 256]; //~ race second
#ifdef MENDED
    __syncthreads();
#endif
    s[t] = x; //~ race fourth
#ifdef MENDED
    __syncthreads();
#else
    if (t < n)
        __syncthreads(); //~ barrier-divergence
#endif
    a[t] = s[255 - t]; //~ race third
}
