// Pointers and sizes in a struct that is passed by value.
// launch: --local_size=128
// defect: the result goes to the input.
// example: clang
// arch: 80 100
#include "device.h"

struct Field {
    const float *in;
    float *out;
    int n;
    float weights[3];
};

extern "C" __global__ void struct_parameter(Field field, short shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + shift;
    if (i < 1 || i >= field.n - 1) {
        return;
    }
    float sum = 0.0f;
    for (int k = 0; k < 3; ++k) {
#ifdef DEFECT
        sum += field.weights[k] * field.out[i + k - 1]; //~ race global
#else
        sum += field.weights[k] * field.in[i + k - 1];
#endif
    }
    field.out[i] = sum; //~ race global
}
