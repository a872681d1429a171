# A ring of three buffers by PipelineAsync, with one producer and one consumer warp.
# defect: the consumer releases a buffer before it reads it.
# arch: 90
# example: cute
import cutlass
import cutlass.cute as cute
from cutlass import pipeline

STAGES = 3


@cute.kernel
def cute_ring(x: cute.Tensor, y: cute.Tensor, rounds: cutlass.Int32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    lane = thread % 32
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    memory = cutlass.utils.SmemAllocator()
    barriers = memory.allocate_array(cutlass.Int64, 2 * STAGES)
    ring = memory.allocate_tensor(cutlass.Float32, cute.make_layout((32, STAGES)))
    warps = pipeline.CooperativeGroup(pipeline.Agent.Thread, 32)
    producer, consumer = pipeline.PipelineAsync.create(
        num_stages=STAGES, producer_group=warps, consumer_group=warps, barrier_storage=barriers
    ).make_participants()
    if warp == 0:
        for k in cutlass.range(rounds, unroll=1):
            buffer = producer.acquire_and_advance()
            ring[lane, buffer.index] = x[(block * rounds + k) * 32 + lane]  #~ race shared
            buffer.commit()
        producer.tail()
    else:
        total = cutlass.Float32(0.0)
        for k in cutlass.range(rounds, unroll=1):
            buffer = consumer.wait_and_advance()
            if cutlass.const_expr(DEFECT):
                buffer.release()
            total += ring[31 - lane, buffer.index]  #~ race shared
            if cutlass.const_expr(not DEFECT):
                buffer.release()
        y[block * 32 + lane] = total


@cute.jit
def launch(x: cute.Tensor, y: cute.Tensor, rounds: cutlass.Int32, blocks: cutlass.Int32):
    cute_ring(x, y, rounds).launch(grid=[blocks, 1, 1], block=[64, 1, 1])


def compiled():
    vector = cute.runtime.make_fake_tensor(cutlass.Float32, (cute.sym_int32(),), stride=(1,))
    return cute.compile(launch, vector, vector, cutlass.Int32(8), cutlass.Int32(4))
