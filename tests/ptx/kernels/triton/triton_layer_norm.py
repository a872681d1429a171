# Layer normalisation of each row by a loop over blocks of it.
# defect: the mean of a row goes to the cell of its half's number.
# example: triton
import triton
import triton.language as tl


@triton.jit
def triton_layer_norm(x, weight, y, mean, n, eps, BLOCK: tl.constexpr, DEFECT: tl.constexpr):
    row = tl.program_id(0)
    x += row * n
    y += row * n
    total = tl.zeros([BLOCK], dtype=tl.float32)
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        value = tl.load(x + i, mask=i < n, other=0.0).to(tl.float32)
        total += value
        squares += value * value
    average = tl.sum(total, axis=0) / n
    variance = tl.sum(squares, axis=0) / n - average * average
    scale = 1 / tl.sqrt(variance + eps)
    tl.store(mean + (row // 2 if DEFECT else row), average)  #~ race global
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        value = tl.load(x + i, mask=i < n, other=0.0).to(tl.float32)
        value = (value - average) * scale * tl.load(weight + i, mask=i < n)
        tl.store(y + i, value, mask=i < n)


SIGNATURE = {"x": "*fp16", "weight": "*fp32", "y": "*fp16", "mean": "*fp32", "n": "i32", "eps": "fp32"}
CONSTANTS = {"BLOCK": 512}
ALIGNED = ["x", "weight", "y", "mean"]
