# A ring of four tiles that one warp fills by TMA; four warps add the tiles up.
# defect: the barrier of a tile expects half of the tile's bytes.
# arch: 90 100
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma


@gluon.jit
def produce(source, ring, full, empty, rounds, BYTES: gl.constexpr, STAGES: gl.constexpr):
    for k in range(rounds):
        stage = k % STAGES
        mbarrier.wait(empty.index(stage), (k // STAGES & 1) ^ 1)
        mbarrier.expect(full.index(stage), BYTES)  #~ protocol
        tma.async_load(source, [gl.program_id(0) * 64, k * 32], full.index(stage), ring.index(stage))  #~ protocol


@gluon.jit
def consume(y, ring, full, empty, rounds, STAGES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    sums = gl.zeros([64, 32], gl.float32, layout)
    for k in range(rounds):
        stage = k % STAGES
        mbarrier.wait(full.index(stage), k // STAGES & 1)
        sums += ring.index(stage).load(layout)
        mbarrier.arrive(empty.index(stage), count=1)
    row = gl.arange(0, 64, gl.SliceLayout(1, layout))[:, None]
    column = gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :]
    gl.store(y + (gl.program_id(0) * 64 + row) * 32 + column, sums)


@gluon.jit
def gluon_tma_ring(x, y, height, width, STAGES: gl.constexpr, DEFECT: gl.constexpr):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 32, 2)
    source = tma.make_tensor_descriptor(x, [height, width], [width, 1], [64, 32], shared)
    ring = gl.allocate_shared_memory(gl.float32, [STAGES, 64, 32], shared)
    full = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    for stage in gl.static_range(STAGES):
        mbarrier.init(full.index(stage), count=1)
        mbarrier.init(empty.index(stage), count=1)
    rounds = width // 32
    BYTES: gl.constexpr = 4096 if DEFECT else 8192
    gl.warp_specialize(
        [
            (consume, (y, ring, full, empty, rounds, STAGES)),
            (produce, (source, ring, full, empty, rounds, BYTES, STAGES)),
        ],
        [1],
        [24],
    )


SIGNATURE = {"x": "*fp32", "y": "*fp32", "height": "i32", "width": "i32"}
CONSTANTS = {"STAGES": 4}
ALIGNED = ["x", "y", "height", "width"]
OPTIONS = {"num_warps": 4}
