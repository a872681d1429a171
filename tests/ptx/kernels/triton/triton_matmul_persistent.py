# A matrix product by TMA whose programs take one tile after the other, with warps of different roles.
# arch: 90 100
import triton
import triton.language as tl


@triton.jit
def triton_matmul_persistent(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, K])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, K])
    result = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    wide = tl.cdiv(n, N)
    for tile in tl.range(
        tl.program_id(0), tl.cdiv(m, M) * wide, tl.num_programs(0), flatten=True, warp_specialize=True, num_stages=3
    ):
        row = tile // wide * M
        column = tile % wide * N
        sums = tl.zeros((M, N), dtype=tl.float32)
        for step in range(tl.cdiv(k, K)):
            sums = tl.dot(left.load([row, step * K]), right.load([column, step * K]).T, sums)
        result.store([row, column], sums.to(tl.float16))


SIGNATURE = {"a": "*fp16", "b": "*fp16", "c": "*fp16", "m": "i32", "n": "i32", "k": "i32"}
CONSTANTS = {"M": 128, "N": 64, "K": 64}
ALIGNED = ["a", "b", "c", "m", "n", "k"]
OPTIONS = {"num_warps": 4, "num_stages": 3}
