# Vector addition in Warp's grid-stride loop.
# launch: --local_size=256
# defect: each thread adds the sum of its right neighbour, which may not be written yet.
# example: warp
import warp as wp


@wp.kernel
def warp_add(a: wp.array(dtype=float), b: wp.array(dtype=float), c: wp.array(dtype=float)):
    i = wp.tid()
    if wp.static(DEFECT):
        c[i] = a[i] + b[i] + c[i + 1]  #~ race global
    else:
        c[i] = a[i] + b[i]
