# A sum for each thread block, by a tree in shared memory with a barrier at each level.
# launch: --local_size=128
# defect: the barrier between two levels is missing.
# example: numba
from numba import cuda, float32, int32, void


def numba_block_sum(x, out):
    partial = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    total = float32(0.0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    partial[t] = total
    cuda.syncthreads()
    half = int32(64)
    while half > 0:
        if t < half:
            partial[t] += partial[t + half]  #~ race shared
        if not DEFECT:
            cuda.syncthreads()
        half //= 2
    if t == 0:
        out[cuda.blockIdx.x] = partial[0]


SIGNATURE = void(float32[::1], float32[::1])
