# A weighted sum with a loader warp and a compute warp, which take turns by two named barriers.
# defect: the compute warp tells that the buffer is empty before it reads it.
# arch: 90
# example: cute
import cutlass
import cutlass.cute as cute


@cute.kernel
def cute_barriers(x: cute.Tensor, y: cute.Tensor, a: cutlass.Float32, rounds: cutlass.Int32):
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    lane = thread % 32
    memory = cutlass.utils.SmemAllocator()
    buffer = memory.allocate_tensor(cutlass.Float32, cute.make_layout(32))
    if thread < 32:
        for k in cutlass.range(rounds, unroll=1):
            if k > 0:
                cute.arch.barrier(barrier_id=1, number_of_threads=64)
            buffer[lane] = x[(block * rounds + k) * 32 + lane]  #~ race shared
            cute.arch.barrier_arrive(barrier_id=2, number_of_threads=64)
    else:
        total = cutlass.Float32(0.0)
        for k in cutlass.range(rounds, unroll=1):
            cute.arch.barrier(barrier_id=2, number_of_threads=64)
            if cutlass.const_expr(DEFECT):
                if k + 1 < rounds:
                    cute.arch.barrier_arrive(barrier_id=1, number_of_threads=64)
            total = a * total + buffer[31 - lane]  #~ race shared
            if cutlass.const_expr(not DEFECT):
                if k + 1 < rounds:
                    cute.arch.barrier_arrive(barrier_id=1, number_of_threads=64)
        y[block * 32 + lane] = total


@cute.jit
def launch(x: cute.Tensor, y: cute.Tensor, a: cutlass.Float32, rounds: cutlass.Int32, blocks: cutlass.Int32):
    cute_barriers(x, y, a, rounds).launch(grid=[blocks, 1, 1], block=[64, 1, 1])


def compiled():
    vector = cute.runtime.make_fake_tensor(cutlass.Float32, (cute.sym_int32(),), stride=(1,))
    return cute.compile(launch, vector, vector, cutlass.Float32(2.0), cutlass.Int32(8), cutlass.Int32(4))
