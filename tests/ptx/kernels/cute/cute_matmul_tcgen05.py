# A matrix product by TMA and tcgen05 in tensor memory: one warp loads, one issues the products, and
# all four read the sums.
# arch: 100
import cutlass
import cutlass.cute as cute
from cutlass import pipeline, utils
from cutlass.cute.nvgpu import cpasync, tcgen05
from cutlass.utils import blackwell_helpers

M, N, K, STAGES = 128, 128, 64, 3
TILE = (M, N, K)
COPIED = (M + N) * K * 2


@cute.kernel
def cute_matmul_tcgen05(
    product: cute.TiledMma,
    load_a: cute.CopyAtom,
    a: cute.Tensor,
    load_b: cute.CopyAtom,
    b: cute.Tensor,
    c: cute.Tensor,
    layout_a: cute.ComposedLayout,
    layout_b: cute.ComposedLayout,
):
    thread, _, _ = cute.arch.thread_idx()
    row, column, _ = cute.arch.block_idx()
    warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
    memory = cutlass.utils.SmemAllocator()
    stages = memory.allocate_array(cutlass.Int64, 2 * STAGES)
    finished = memory.allocate_array(cutlass.Int64, 2)
    base = memory.allocate_array(cutlass.Int32, 1)
    tile_a = memory.allocate_tensor(cutlass.Float16, layout_a.outer, byte_alignment=128, swizzle=layout_a.inner)
    tile_b = memory.allocate_tensor(cutlass.Float16, layout_b.outer, byte_alignment=128, swizzle=layout_b.inner)
    tensor_memory = utils.TmemAllocator(
        base, barrier_for_retrieve=pipeline.NamedBarrier(barrier_id=1, num_threads=128)
    )
    tensor_memory.allocate(128)
    one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
    producer, consumer = pipeline.PipelineTmaUmma.create(
        num_stages=STAGES, producer_group=one, consumer_group=one, tx_count=COPIED, barrier_storage=stages
    ).make_participants()
    sums_producer, sums_consumer = pipeline.PipelineUmmaAsync.create(
        num_stages=1,
        producer_group=one,
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 128),
        barrier_storage=finished,
    ).make_participants()
    place = (row, column, None)
    mine = product.get_slice(0)
    from_a = mine.partition_A(cute.local_tile(a, TILE, place, proj=(1, None, 1)))
    from_b = mine.partition_B(cute.local_tile(b, TILE, place, proj=(None, 1, 1)))
    target = mine.partition_C(cute.local_tile(c, TILE, place, proj=(1, 1, None)))
    left = product.make_fragment_A(tile_a)
    right = product.make_fragment_B(tile_b)
    to_a, from_a = cpasync.tma_partition(
        load_a, 0, cute.make_layout(1), cute.group_modes(tile_a, 0, 3), cute.group_modes(from_a, 0, 3)
    )
    to_b, from_b = cpasync.tma_partition(
        load_b, 0, cute.make_layout(1), cute.group_modes(tile_b, 0, 3), cute.group_modes(from_b, 0, 3)
    )
    tensor_memory.wait_for_alloc()
    pointer = tensor_memory.retrieve_ptr(cutlass.Float32)
    sums = cute.make_tensor(pointer, product.make_fragment_C(product.partition_shape_C((M, N))).layout)
    rounds = cute.size(from_a, mode=[1])
    if warp == 1:
        for k in cutlass.range(rounds, unroll=1):
            stage = producer.acquire_and_advance()
            cute.copy(load_a, from_a[(None, k)], to_a[(None, stage.index)], tma_bar_ptr=stage.barrier)
            cute.copy(load_b, from_b[(None, k)], to_b[(None, stage.index)], tma_bar_ptr=stage.barrier)
        producer.tail()
    if warp == 0:
        result = sums_producer.acquire_and_advance()
        product.set(tcgen05.Field.ACCUMULATE, False)
        for k in cutlass.range(rounds, unroll=1):
            stage = consumer.wait_and_advance()
            for part in cutlass.range_constexpr(cute.size(left, mode=[2])):
                at = (None, None, part, stage.index)
                cute.gemm(product, sums, left[at], right[at], sums)
                product.set(tcgen05.Field.ACCUMULATE, True)
            stage.release()
        result.commit()
    tensor_memory.relinquish_alloc_permit()
    done = sums_consumer.wait_and_advance()
    tiler = ((cute.size(sums, mode=[0, 0]), cute.size(sums, mode=[0, 1]) // 2),)
    parts = cute.zipped_divide(sums, tiler)
    targets = cute.zipped_divide(target, tiler)
    read = tcgen05.make_tmem_copy(
        cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), cutlass.Float32), parts[None, 0]
    )
    slice = read.get_slice(thread)
    source = slice.partition_S(parts)
    targets = slice.partition_D(targets)
    values = cute.make_rmem_tensor(targets[None, None, 0].shape, cutlass.Float32)
    for part in cutlass.range_constexpr(cute.size(source, mode=[2])):
        cute.copy(read, source[None, None, part], values)
        cute.autovec_copy(values, targets[None, None, part])
    done.release()
    cute.arch.barrier()
    tensor_memory.free(pointer)


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    major = tcgen05.OperandMajorMode.K
    product = cute.make_tiled_mma(
        tcgen05.MmaF16BF16Op(
            cutlass.Float16,
            cutlass.Float32,
            (M, N, 16),
            tcgen05.CtaGroup.ONE,
            tcgen05.OperandSource.SMEM,
            major,
            major,
        )
    )
    layout_a = blackwell_helpers.make_smem_layout_a(product, TILE, cutlass.Float16, STAGES)
    layout_b = blackwell_helpers.make_smem_layout_b(product, TILE, cutlass.Float16, STAGES)
    copy = cpasync.CopyBulkTensorTileG2SOp(tcgen05.CtaGroup.ONE)
    one_a, one_b = (cute.select(layout, mode=[0, 1, 2]) for layout in (layout_a, layout_b))
    load_a, from_a = cute.nvgpu.make_tiled_tma_atom_A(copy, a, one_a, TILE, product)
    load_b, from_b = cute.nvgpu.make_tiled_tma_atom_B(copy, b, one_b, TILE, product)
    cute_matmul_tcgen05(product, load_a, from_a, load_b, from_b, c, layout_a, layout_b).launch(
        grid=[cute.size(c, mode=[0]) // M, cute.size(c, mode=[1]) // N, 1], block=[128, 1, 1]
    )


def compiled():
    m, n, k = cute.sym_int32(divisibility=M), cute.sym_int32(divisibility=N), cute.sym_int32(divisibility=K)

    def matrix(kind, rows, columns):
        stride = (cute.sym_int64(divisibility=8), 1)
        return cute.runtime.make_fake_tensor(kind, (rows, columns), stride=stride, assumed_align=16)

    half = cutlass.Float16
    return cute.compile(launch, matrix(half, m, k), matrix(half, n, k), matrix(cutlass.Float32, m, n))
