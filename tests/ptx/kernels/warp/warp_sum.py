# Sums of rows by atomics, with two-dimensional arrays.
# launch: --local_size=256
# defect: the sum is read and written without an atomic.
import warp as wp


@wp.kernel
def warp_sum(x: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    row, column = wp.tid()
    if wp.static(DEFECT):
        sums[row] = sums[row] + x[row, column]  #~ race global
    else:
        wp.atomic_add(sums, row, x[row, column])
