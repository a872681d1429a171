//pass
//--local_size=64 --num_groups=16
// A warp goes on as long as any of its lanes has something left: __any_sync gives all lanes the
// same answer, so all of them meet at the barriers in the loop.

__global__ void drain(const int *work, int *out, int *busy_threads)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    unsigned gid = blockIdx.x * blockDim.x + t;
    int left = work[gid];
    int sum = 0;
    while (__any_sync(0xffffffff, left > 0)) {
        cells[t] = left;
        __syncwarp();
        sum += cells[t ^ 1];
        __syncwarp();
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
