# Running sums of each row, whose warps' totals go through shared memory, and a histogram.
# defect: the histogram is added to without an atomic.
# example: triton
import triton
import triton.language as tl


@triton.jit
def triton_scan(x, y, bins, n, BLOCK: tl.constexpr, DEFECT: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * n + i, mask=i < n, other=0)
    tl.store(y + row * n + i, tl.cumsum(value, 0), mask=i < n)
    counts = tl.histogram(value & 127, 128)
    bin = bins + tl.arange(0, 128)
    if DEFECT:
        tl.store(bin, tl.load(bin) + counts)  #~ race global
    else:
        tl.atomic_add(bin, counts)


SIGNATURE = {"x": "*i32", "y": "*i32", "bins": "*i32", "n": "i32"}
CONSTANTS = {"BLOCK": 512}
ALIGNED = ["x", "y", "bins"]
