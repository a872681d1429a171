# A matrix product by TMA with warps of different roles: loaders, and those that multiply.
# arch: 90 100
import triton
import triton.language as tl


@triton.jit
def triton_matmul_tma(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    result = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    row = tl.program_id(0) * M
    column = tl.program_id(1) * N
    sums = tl.zeros((M, N), dtype=tl.float32)
    for step in tl.range(0, tl.cdiv(k, K), num_stages=3, warp_specialize=True):
        x = left.load([row, step * K])
        y = right.load([column, step * K])
        sums = tl.dot(x, y.T, sums)
    result.store([row, column], sums.to(tl.float16))


SIGNATURE = {"a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32", "n": "i32", "k": "i32"}
CONSTANTS = {"M": 128, "N": 128, "K": 64}
ALIGNED = ["a", "b", "c", "m", "n", "k"]
OPTIONS = {"num_warps": 4, "num_stages": 3}
