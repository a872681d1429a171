# A ring of three buffers that a warp fills by asynchronous copies, which arrive at the barrier
# themselves; four warps add the buffers up.
# defect: the consumers release a buffer before they read it.
# arch: 90
# example: triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mbarrier


@gluon.jit
def produce(x, ring, full, empty, rounds, BLOCK: gl.constexpr, STAGES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [1], [0])
    x += gl.program_id(0) * rounds * BLOCK + gl.arange(0, BLOCK, layout)
    for k in range(rounds):
        stage = k % STAGES
        mbarrier.wait(empty.index(stage), (k // STAGES & 1) ^ 1)
        async_copy.async_load(ring.index(stage), x)  #~ race shared
        async_copy.mbarrier_arrive(full.index(stage), increment_count=False)
        x += BLOCK


@gluon.jit
def consume(y, ring, full, empty, rounds, BLOCK: gl.constexpr, STAGES: gl.constexpr, DEFECT: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    sums = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(rounds):
        stage = k % STAGES
        mbarrier.wait(full.index(stage), k // STAGES & 1)
        if DEFECT:
            mbarrier.arrive(empty.index(stage))
        sums += ring.index(stage).load(layout)  #~ race shared
        if not DEFECT:
            mbarrier.arrive(empty.index(stage))
    gl.store(y + gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout), sums)


@gluon.jit
def gluon_ring(x, y, rounds, BLOCK: gl.constexpr, STAGES: gl.constexpr, DEFECT: gl.constexpr):
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    ring = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], shared)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=32)
        mbarrier.init(empty.index(stage), count=1)
    gl.warp_specialize(
        [
            (consume, (y, ring, full, empty, rounds, BLOCK, STAGES, DEFECT)),
            (produce, (x, ring, full, empty, rounds, BLOCK, STAGES)),
        ],
        [1],
        [24],
    )


SIGNATURE = {"x": "*fp32", "y": "*fp32", "rounds": "i32"}
CONSTANTS = {"BLOCK": 128, "STAGES": 3}
ALIGNED = ["x", "y"]
OPTIONS = {"num_warps": 4}
