# A histogram by atomics, in shared and then in global memory.
# launch: --local_size=64
# defect: the counts of the thread block are not cleared before a barrier.
from numba import cuda, int32, uint8, void


def numba_histogram(values, bins):
    counts = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    counts[t] = 0  #~ race shared
    if not DEFECT:
        cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i] % 64, 1)  #~ race shared
    cuda.syncthreads()
    cuda.atomic.add(bins, t, counts[t])


SIGNATURE = void(uint8[::1], int32[::1])
