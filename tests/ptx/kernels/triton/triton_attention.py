# Attention with a running maximum: two products for each block of keys, which cp.async or wgmma feeds.
# arch: 80 90
import triton
import triton.language as tl


@triton.jit
def triton_attention(q, k, v, out, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * n * D
    rows = tl.program_id(0) * M + tl.arange(0, M)
    wide = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * D + wide[None, :], mask=rows[:, None] < n)
    most = tl.full([M], -float("inf"), dtype=tl.float32)
    total = tl.zeros([M], dtype=tl.float32)
    sums = tl.zeros([M, D], dtype=tl.float32)
    for first in tl.range(0, n, N, num_stages=2):
        at = first + tl.arange(0, N)
        key = tl.load(k + head + at[None, :] * D + wide[:, None], mask=at[None, :] < n)
        weight = tl.dot(query, key) * scale + tl.where(at[None, :] < n, 0, -float("inf"))
        higher = tl.maximum(most, tl.max(weight, 1))
        weight = tl.math.exp2(weight - higher[:, None])
        fade = tl.math.exp2(most - higher)
        total = total * fade + tl.sum(weight, 1)
        value = tl.load(v + head + at[:, None] * D + wide[None, :], mask=at[:, None] < n)
        sums = tl.dot(weight.to(tl.float16), value, sums * fade[:, None])
        most = higher
    result = (sums / total[:, None]).to(tl.float16)
    tl.store(out + head + rows[:, None] * D + wide[None, :], result, mask=rows[:, None] < n)


SIGNATURE = {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "n": "i32", "scale": "fp32"}
CONSTANTS = {"M": 64, "N": 32, "D": 64}
ALIGNED = ["q", "k", "v", "out"]
OPTIONS = {"num_warps": 4}
