//unknown
//--block-dim=64 --grid-dim=8
// Arriving at a barrier of the grid before waiting there is refused by name.
#include <cooperative_groups.h>
#include <utility>
namespace cg = cooperative_groups;

__global__ void turn(int *out) {
    cg::grid_group grid = cg::this_grid();
    auto token = grid.barrier_arrive(); //~ unsupported
    out[grid.thread_rank()] = 1;
    grid.barrier_wait(std::move(token));
}
