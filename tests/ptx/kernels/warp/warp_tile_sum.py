# A sum of each block's tile in shared memory, by Warp's tiles.
# launch: --local_size=256
import warp as wp


@wp.kernel
def warp_tile_sum(x: wp.array2d(dtype=float), sums: wp.array(dtype=float)):
    row = wp.tid()
    tile = wp.tile_load(x[row], shape=256, storage="shared")
    wp.tile_store(sums, wp.tile_sum(tile), offset=row)
