# Vector addition in blocks of 1,024 elements, with a mask for the last block.
# defect: consecutive programs have one element in common, which both add to.
# example: triton
import triton
import triton.language as tl


@triton.jit
def triton_add(a, b, n, BLOCK: tl.constexpr, DEFECT: tl.constexpr):
    first = tl.program_id(0) * (BLOCK - 1 if DEFECT else BLOCK)
    i = first + tl.arange(0, BLOCK)
    inside = i < n
    sums = tl.load(a + i, mask=inside) + tl.load(b + i, mask=inside)  #~ race global
    tl.store(a + i, sums, mask=inside)  #~ race global


SIGNATURE = {"a": "*fp32", "b": "*fp32", "n": "i32"}
CONSTANTS = {"BLOCK": 1024}
ALIGNED = ["a", "b"]
