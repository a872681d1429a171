# Vector addition, one element a thread.
# launch: --local_size=128
# defect: each thread adds the sum of its right neighbour, which may not be written yet.
# example: numba
from numba import cuda, float32, void


def numba_add(a, b, c):
    i = cuda.grid(1)
    if i + 1 < c.size:
        if DEFECT:
            c[i] = a[i] + b[i] + c[i + 1]  #~ race global
        else:
            c[i] = a[i] + b[i]


SIGNATURE = void(float32[::1], float32[::1], float32[::1])
