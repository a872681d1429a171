# A matrix product by asynchronous copies in three stages, with swizzled tiles in shared memory.
# defect: the tiles of the result overlap by one column.
# arch: 80 90
import triton
import triton.language as tl


@triton.jit
def triton_matmul(
    a, b, c, m, n, k, a_stride, b_stride,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, DEFECT: tl.constexpr,
):
    row = tl.program_id(0) * M + tl.arange(0, M)
    column = tl.program_id(1) * (N - 1 if DEFECT else N) + tl.arange(0, N)
    inner = tl.arange(0, K)
    left = a + (row % m)[:, None] * a_stride + inner[None, :]
    right = b + inner[:, None] * b_stride + (column % n)[None, :]
    sums = tl.zeros((M, N), dtype=tl.float32)
    for _ in tl.range(0, tl.cdiv(k, K), num_stages=3):
        sums = tl.dot(tl.load(left), tl.load(right), sums)
        left += K
        right += K * b_stride
    place = c + row[:, None] * n + column[None, :]
    tl.store(place, sums.to(tl.float16), mask=(row[:, None] < m) & (column[None, :] < n))  #~ race global


SIGNATURE = {
    "a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32", "n": "i32", "k": "i32",
    "a_stride": "i32", "b_stride": "i32",
}
CONSTANTS = {"M": 64, "N": 64, "K": 32}
ALIGNED = ["a", "b", "c", "n", "k", "a_stride", "b_stride"]
OPTIONS = {"num_warps": 4, "num_stages": 3}
