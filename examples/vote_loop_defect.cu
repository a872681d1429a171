//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As vote_loop.cu, but each lane goes on as long as it has something left itself: those that need
// longer wait for lanes that do not come.

__global__ void drain(const int *work, int *out, int *busy_threads)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    int left = work[gid];
    int sum = 0;
    while (left > 0) {
        cells[t] = left;
        __syncwarp(); //~ warp-divergence first
        sum += cells[t ^ 1];
        __syncwarp(); //~ warp-divergence second
        if (left > 0) {
            left--;
        }
    }
    out[gid] = sum;
    int busy = __syncthreads_count(sum > 0);
    if (t == 0) {
        busy_threads[blockIdx.x] = busy;
    }
}
