# A sum by shuffles, one cell a warp in shared memory, for arrays of any stride.
# launch: --local_size=256
# defect: the barrier between the warps' sums and their use is missing.
from numba import cuda, float32, void


def numba_warp_sum(x, out):
    sums = cuda.shared.array(8, float32)
    t = cuda.threadIdx.x
    value = x[cuda.grid(1)]
    for by in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, by)
    if t % 32 == 0:
        sums[t // 32] = value  #~ race shared
    if not DEFECT:
        cuda.syncthreads()
    if t == 0:
        total = float32(0.0)
        for k in range(8):
            total += sums[k]  #~ race shared
        out[cuda.blockIdx.x] = total


SIGNATURE = void(float32[:], float32[:])
