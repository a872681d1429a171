//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As scan_blelloch.cu, without the barrier in the up-sweep: a level of the tree reads sums that
// the level below may not have written yet.

#define SIZE 128

__global__ void __launch_bounds__(SIZE / 2) scan_blelloch(const int *__restrict__ in, int *__restrict__ out)
{
    __shared__ int tree[SIZE];
    int t = threadIdx.x;
    int first = blockIdx.x * SIZE + 2 * t;
    tree[2 * t] = in[first];
    tree[2 * t + 1] = in[first + 1];
    __syncthreads();

    int span = 1;
    for (int nodes = SIZE / 2; nodes > 0; nodes /= 2) {
        if (t < nodes) {
            tree[span * (2 * t + 2) - 1] += tree[span * (2 * t + 1) - 1]; //~ race sweep clear
        }
        span *= 2;
    }

    if (t == 0) {
        tree[SIZE - 1] = 0; //~ race clear
    }
    for (int nodes = 1; nodes < SIZE; nodes *= 2) {
        __syncthreads();
        span /= 2;
        if (t < nodes) {
            int left = span * (2 * t + 1) - 1;
            int right = span * (2 * t + 2) - 1;
            int sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();

    out[first] = tree[2 * t];
    out[first + 1] = tree[2 * t + 1];
}
