# A matrix product by TMA and wgmma: a loader warp and a warp group that multiplies, in four stages.
# defect: the consumers release a stage before their wgmma has read it.
# finding: a data race between wgmma's reads of a stage and the next TMA copy into it
# arch: 90
import cutlass
import cutlass.cute as cute
from cutlass import pipeline
from cutlass.cute.nvgpu import cpasync, warpgroup
from cutlass.utils import LayoutEnum, hopper_helpers

M, N, K, STAGES = 128, 128, 64, 4
COPIED = (M + N) * K * 2


@cute.kernel
def cute_matmul(
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
    barriers = memory.allocate_array(cutlass.Int64, 2 * STAGES)
    tile_a = memory.allocate_tensor(cutlass.Float16, layout_a.outer, byte_alignment=1024, swizzle=layout_a.inner)
    tile_b = memory.allocate_tensor(cutlass.Float16, layout_b.outer, byte_alignment=1024, swizzle=layout_b.inner)
    producer, consumer = pipeline.PipelineTmaAsync.create(
        num_stages=STAGES,
        producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
        consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 4),
        tx_count=COPIED,
        barrier_storage=barriers,
    ).make_participants()
    from_a = cute.local_tile(a, (M, K), (row, None))
    from_b = cute.local_tile(b, (N, K), (column, None))
    one = cute.make_layout(1)
    to_a, from_a = cpasync.tma_partition(
        load_a, 0, one, cute.group_modes(tile_a, 0, 2), cute.group_modes(from_a, 0, 2)
    )
    to_b, from_b = cpasync.tma_partition(
        load_b, 0, one, cute.group_modes(tile_b, 0, 2), cute.group_modes(from_b, 0, 2)
    )
    rounds = cute.size(from_a, mode=[1])
    if warp < 4:
        cute.arch.setmaxregister_decrease(40)
        if warp == 0:
            for k in cutlass.range(rounds, unroll=1):
                stage = producer.acquire_and_advance()
                cute.copy(load_a, from_a[(None, k)], to_a[(None, stage.index)], tma_bar_ptr=stage.barrier)
                cute.copy(load_b, from_b[(None, k)], to_b[(None, stage.index)], tma_bar_ptr=stage.barrier)
            producer.tail()
    else:
        cute.arch.setmaxregister_increase(232)
        mine = product.get_slice(thread - 128)
        left = product.make_fragment_A(mine.partition_A(tile_a))
        right = product.make_fragment_B(mine.partition_B(tile_b))
        place = mine.partition_C(cute.local_tile(c, (M, N), (row, column)))
        sums = cute.make_rmem_tensor(place.shape[:3], cutlass.Float32)
        product.set(warpgroup.Field.ACCUMULATE, False)
        for k in cutlass.range(rounds, unroll=1):
            stage = consumer.wait_and_advance()
            warpgroup.fence()
            for part in cutlass.range_constexpr(cute.size(left, mode=[2])):
                at = (None, None, part, stage.index)
                cute.gemm(product, sums, left[at], right[at], sums)
                product.set(warpgroup.Field.ACCUMULATE, True)
            warpgroup.commit_group()
            if cutlass.const_expr(DEFECT):
                stage.release()
                warpgroup.wait_group(0)
            else:
                warpgroup.wait_group(0)
                stage.release()
        cute.autovec_copy(sums, place)


@cute.jit
def launch(a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
    major = warpgroup.OperandMajorMode.K
    product = hopper_helpers.make_trivial_tiled_mma(
        cutlass.Float16, cutlass.Float16, major, major, cutlass.Float32, (1, 1, 1), (64, N)
    )
    layout_a = hopper_helpers.make_smem_layout_a(LayoutEnum.ROW_MAJOR, (M, N, K), cutlass.Float16, STAGES)
    layout_b = hopper_helpers.make_smem_layout_b(LayoutEnum.ROW_MAJOR, (M, N, K), cutlass.Float16, STAGES)
    copy = cpasync.CopyBulkTensorTileG2SOp()
    load_a, from_a = cpasync.make_tiled_tma_atom(copy, a, cute.slice_(layout_a, (None, None, 0)), (M, K))
    load_b, from_b = cpasync.make_tiled_tma_atom(copy, b, cute.slice_(layout_b, (None, None, 0)), (N, K))
    cute_matmul(product, load_a, from_a, load_b, from_b, c, layout_a, layout_b).launch(
        grid=[cute.ceil_div(cute.size(c, mode=[0]), M), cute.ceil_div(cute.size(c, mode=[1]), N), 1], block=[256, 1, 1]
    )


def compiled():
    m, n, k = cute.sym_int32(divisibility=M), cute.sym_int32(divisibility=N), cute.sym_int32(divisibility=K)

    def matrix(kind, rows, columns):
        return cute.runtime.make_fake_tensor(kind, (rows, columns), stride=(cute.sym_int64(divisibility=8), 1), assumed_align=16)

    half = cutlass.Float16
    return cute.compile(launch, matrix(half, m, k), matrix(half, n, k), matrix(cutlass.Float32, m, n))
