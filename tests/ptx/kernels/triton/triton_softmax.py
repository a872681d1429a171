# Softmax of each row, one program a row: two reductions through shared memory.
# defect: each program writes its row one element too far to the right.
# example: triton
import triton
import triton.language as tl


@triton.jit
def triton_softmax(x, y, stride, n, BLOCK: tl.constexpr, DEFECT: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    value = tl.load(x + row * stride + i, mask=i < n, other=-float("inf"))
    value = tl.exp(value - tl.max(value, axis=0))
    value = value / tl.sum(value, axis=0)
    tl.store(y + row * n + i, value, mask=i < (n + 1 if DEFECT else n))  #~ race global


SIGNATURE = {"x": "*fp32", "y": "*fp32", "stride": "i32", "n": "i32"}
CONSTANTS = {"BLOCK": 1024}
ALIGNED = ["x", "y"]
