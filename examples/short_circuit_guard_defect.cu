//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As short_circuit_guard.cu, with || for &&: now the odd threads look at their right neighbours'
// elements, too, which those are writing.

template <typename T>
__global__ void minimum_of_pairs(T *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0 || a[i + 1] < a[i]) { //~ race guard
        a[i] = a[i + 1]; //~ race guard body
    }
}

template __global__ void minimum_of_pairs(int *);
