//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of a distribution orders no memory.

#include <thrust/random.h>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race real
    thrust::minstd_rand engine(t);
    thrust::uniform_real_distribution<float> real(0, 1);
    real(engine);
    sum += a[63 - t]; //~ race real
    b[t] = value; //~ race whole
    thrust::uniform_int_distribution<int> whole(0, 9);
    whole(engine);
    sum += b[63 - t]; //~ race whole
    c[t] = value; //~ race normal
    thrust::normal_distribution<float> normal(0, 1);
    normal(engine);
    sum += c[63 - t]; //~ race normal
    d[t] = value; //~ race engine
    engine();
    sum += d[63 - t]; //~ race engine
    out[t] = sum;
}
