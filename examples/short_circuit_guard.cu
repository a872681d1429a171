//pass
//--local_size=64 --num_groups=16
// open sizes too
// A short-circuit guard: only even threads look at their right neighbour's element at all,
// because && evaluates its right side only where the left one holds.

template <typename T>
__global__ void minimum_of_pairs(T *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 2 == 0 && a[i + 1] < a[i]) {
        a[i] = a[i + 1];
    }
}

template __global__ void minimum_of_pairs(int *);
