/* Cooperative groups: small bodies over barriers, votes and exchanges. What would take a group of another shape than a
   warp's part, a block or a grid is refused by name. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS
#define LOCKSTEP_COOPERATIVE_GROUPS
#pragma clang system_header
#include "lockstep/any.h"

__LOCKSTEP_DEVICE void __lockstep_grid_sync();
__LOCKSTEP_DEVICE void __lockstep_refused_tiled_partition(), __lockstep_refused_barrier_arrive(),
    __lockstep_refused_barrier_wait(), __lockstep_refused_this_multi_grid(), __lockstep_refused_this_cluster(),
    __lockstep_refused_invoke_one();
/* Marks a call of tiled_partition, for the assumption that it does not wait. */
__LOCKSTEP_DEVICE void __lockstep_partition();

namespace cooperative_groups {

#define __LOCKSTEP_STATIC __LOCKSTEP_MEMBER static

/* The thread's number in its block, and the lane it has in its warp. */
__LOCKSTEP_INLINE unsigned int __lockstep_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__LOCKSTEP_INLINE unsigned int __lockstep_size() { return blockDim.x * blockDim.y * blockDim.z; }
__LOCKSTEP_INLINE unsigned int __lockstep_lane() { return __nvvm_read_ptx_sreg_laneid() & (__LOCKSTEP_WARP_SIZE - 1); }
/* How many lanes a mask has room for. */
#define __LOCKSTEP_LANES (8 * (unsigned int)sizeof(__lockstep_mask))
/* The lanes of the part of a warp of so many threads that this one belongs to. */
__LOCKSTEP_INLINE __lockstep_mask __lockstep_part(unsigned int size) {
    return (~(__lockstep_mask)0 >> (-size & (__LOCKSTEP_LANES - 1))) << (__lockstep_lane() & ~(size - 1));
}

/* How many lanes a mask names, the first of them, and the first but so many. */
__LOCKSTEP_INLINE unsigned int __lockstep_count(unsigned int mask) { return __popc(mask); }
__LOCKSTEP_INLINE unsigned int __lockstep_count(unsigned long long mask) { return __popcll(mask); }
__LOCKSTEP_INLINE unsigned int __lockstep_first(unsigned int mask) { return __ffs(mask) - 1; }
__LOCKSTEP_INLINE unsigned int __lockstep_first(unsigned long long mask) { return __ffsll(mask) - 1; }
__LOCKSTEP_INLINE unsigned int __lockstep_nth(unsigned int mask, unsigned int rank) { return __fns(mask, 0, rank + 1); }
__LOCKSTEP_INLINE unsigned int __lockstep_nth(unsigned long long mask, unsigned int rank) {
    for (; rank > 0; --rank) mask &= mask - 1;
    return __lockstep_first(mask);
}

/* --- What lanes given by a mask do together --------------------------------------------------------------- */
struct __lockstep_lanes {
    __lockstep_mask mask;
    __LOCKSTEP_MEMBER void sync() const { __syncwarp(mask); }
    __LOCKSTEP_MEMBER unsigned int num_threads() const { return __lockstep_count(mask); }
    __LOCKSTEP_MEMBER unsigned int size() const { return __lockstep_count(mask); }
    __LOCKSTEP_MEMBER unsigned int thread_rank() const {
        return __lockstep_count(mask & (((__lockstep_mask)1 << __lockstep_lane()) - 1));
    }
    __LOCKSTEP_MEMBER unsigned int lane_of(unsigned int rank) const {
        return rank == 0 ? __lockstep_first(mask) : __lockstep_nth(mask, rank);
    }
    /* The lanes of so many ranks, this lane's among them, from the first one on. */
    __LOCKSTEP_MEMBER __lockstep_mask ranked(unsigned int first, unsigned int count) const {
        unsigned int lowest = lane_of(first) & (__LOCKSTEP_LANES - 1);
        unsigned int above = (__LOCKSTEP_LANES - 1 - lane_of(first + count - 1)) & (__LOCKSTEP_LANES - 1);
        __lockstep_mask own = (__lockstep_mask)1 << __lockstep_lane();
        return (mask & ~(__lockstep_mask)0 << lowest & ~(__lockstep_mask)0 >> above) | own;
    }
    /* Lanes of the warp as ranks of the group. */
    __LOCKSTEP_MEMBER __lockstep_mask ranks_of(__lockstep_mask lanes) const {
        __lockstep_mask ranks = 0;
        for (unsigned int rank = 0; rank < size(); ++rank) {
            ranks |= (lanes >> (lane_of(rank) & (__LOCKSTEP_LANES - 1)) & 1) << (rank & (__LOCKSTEP_LANES - 1));
        }
        return ranks;
    }
    __LOCKSTEP_MEMBER int any(int predicate) const { return __any_sync(mask, predicate); }
    __LOCKSTEP_MEMBER int all(int predicate) const { return __all_sync(mask, predicate); }
    __LOCKSTEP_MEMBER __lockstep_mask ballot(int predicate) const { return ranks_of(__ballot_sync(mask, predicate)); }
    template <class T> __LOCKSTEP_MEMBER __lockstep_mask match_any(T value) const {
        return ranks_of(__match_any_sync(mask, value));
    }
    template <class T> __LOCKSTEP_MEMBER __lockstep_mask match_all(T value, int &all) const {
        return ranks_of(__match_all_sync(mask, value, &all));
    }
    template <class T> __LOCKSTEP_MEMBER T shfl(T value, unsigned int rank) const {
        return (T)__shfl_sync(mask, value, lane_of(rank), __LOCKSTEP_WARP_SIZE);
    }
    /* What a lane gets that has no such partner is not documented. */
    template <class T> __LOCKSTEP_MEMBER T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        T got = (T)__shfl_sync(mask, value, lane_of(rank >= delta ? rank - delta : rank), __LOCKSTEP_WARP_SIZE);
        if (rank < delta) __lockstep_undefine(got);
        return got;
    }
    template <class T> __LOCKSTEP_MEMBER T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        bool inside = delta < size() - rank;
        T got = (T)__shfl_sync(mask, value, lane_of(inside ? rank + delta : rank), __LOCKSTEP_WARP_SIZE);
        if (!inside) __lockstep_undefine(got);
        return got;
    }
};

/* --- A group of any kind ---------------------------------------------------------------------------------- */
namespace details { enum group_kind { thread_kind, block_kind, grid_kind, lanes_kind, tile_kind }; }

class thread_group {
public:
    thread_group() = default;
    __LOCKSTEP_MEMBER explicit thread_group(details::group_kind kind) : kind(kind), lanes{0}, count(0), rank(0) {}
    /* Part of a warp: these lanes, as many as said, of which this one has that rank. Those of a tile are neighbours. */
    __LOCKSTEP_MEMBER thread_group(details::group_kind kind, __lockstep_mask lanes, unsigned int count, unsigned int rank)
        : kind(kind), lanes{lanes}, count(count), rank(rank) {}
    __LOCKSTEP_MEMBER void sync() const {
        if (kind == details::block_kind) __syncthreads();
        if (kind == details::grid_kind) __lockstep_grid_sync();
        if (kind == details::lanes_kind || kind == details::tile_kind) lanes.sync();
    }
    __LOCKSTEP_MEMBER unsigned long long size() const {
        switch (kind) {
            case details::block_kind: return __lockstep_size();
            case details::grid_kind: return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * __lockstep_size();
            case details::lanes_kind:
            case details::tile_kind: return count;
            default: return 1;
        }
    }
    __LOCKSTEP_MEMBER unsigned long long num_threads() const { return size(); }
    __LOCKSTEP_MEMBER unsigned long long thread_rank() const {
        switch (kind) {
            case details::block_kind: return __lockstep_rank();
            case details::grid_kind:
                return ((unsigned long long)blockIdx.z * gridDim.y * gridDim.x + blockIdx.y * gridDim.x + blockIdx.x) *
                           __lockstep_size() + __lockstep_rank();
            case details::lanes_kind:
            case details::tile_kind: return rank;
            default: return 0;
        }
    }
    __LOCKSTEP_MEMBER bool is_valid() const { return true; }
    __LOCKSTEP_MEMBER details::group_kind get_type() const { return kind; }
    __LOCKSTEP_MEMBER __lockstep_lanes mask() const { return lanes; }

private:
    details::group_kind kind;
    __lockstep_lanes lanes;
    unsigned int count, rank;
};

/* --- Threads, blocks, the grid ---------------------------------------------------------------------------- */
#define __LOCKSTEP_GROUP(KIND)                                                                                       \
    __LOCKSTEP_MEMBER operator thread_group() const { return thread_group(details::KIND); }                          \
    __LOCKSTEP_STATIC bool is_valid() { return true; }

class thread_block {
public:
    __LOCKSTEP_GROUP(block_kind)
    __LOCKSTEP_STATIC void sync() { __syncthreads(); }
    __LOCKSTEP_STATIC unsigned int thread_rank() { return __lockstep_rank(); }
    __LOCKSTEP_STATIC unsigned int size() { return __lockstep_size(); }
    __LOCKSTEP_STATIC unsigned int num_threads() { return __lockstep_size(); }
    __LOCKSTEP_STATIC dim3 group_index() { return blockIdx; }
    __LOCKSTEP_STATIC dim3 thread_index() { return threadIdx; }
    __LOCKSTEP_STATIC dim3 group_dim() { return blockDim; }
    __LOCKSTEP_STATIC dim3 dim_threads() { return blockDim; }
    struct arrival_token {};
    __LOCKSTEP_STATIC arrival_token barrier_arrive() { return __lockstep_refused_barrier_arrive(), arrival_token(); }
    __LOCKSTEP_STATIC void barrier_wait(arrival_token &&) { __lockstep_refused_barrier_wait(); }
};
__LOCKSTEP_INLINE thread_block this_thread_block() { return thread_block(); }
template <unsigned int size = 1024> struct block_tile_memory { char reserved[size]; };
template <unsigned int size> __LOCKSTEP_INLINE thread_block this_thread_block(block_tile_memory<size> &) {
    return thread_block();
}

class grid_group {
public:
    __LOCKSTEP_GROUP(grid_kind)
    __LOCKSTEP_STATIC void sync() { __lockstep_grid_sync(); }
    __LOCKSTEP_STATIC unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __LOCKSTEP_STATIC unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __LOCKSTEP_STATIC unsigned long long thread_rank() { return block_rank() * __lockstep_size() + __lockstep_rank(); }
    __LOCKSTEP_STATIC unsigned long long size() { return num_blocks() * __lockstep_size(); }
    __LOCKSTEP_STATIC unsigned long long num_threads() { return size(); }
    __LOCKSTEP_STATIC dim3 group_dim() { return gridDim; }
    __LOCKSTEP_STATIC dim3 dim_blocks() { return gridDim; }
    __LOCKSTEP_STATIC dim3 block_index() { return blockIdx; }
};
__LOCKSTEP_INLINE grid_group this_grid() { return grid_group(); }

struct multi_grid_group : grid_group {};
__LOCKSTEP_INLINE multi_grid_group this_multi_grid() {
    return __lockstep_refused_this_multi_grid(), multi_grid_group();
}
struct cluster_group : thread_block {};
__LOCKSTEP_INLINE cluster_group this_cluster() { return __lockstep_refused_this_cluster(), cluster_group(); }

/* --- Parts of warps --------------------------------------------------------------------------------------- */
class coalesced_group : public __lockstep_lanes {
    /* Its number among the groups that its parent was parted into, and how many those are; 0 of them: not documented. */
    unsigned int meta_rank, meta_size;

public:
    __LOCKSTEP_MEMBER explicit coalesced_group(__lockstep_mask mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
        : __lockstep_lanes{mask}, meta_rank(meta_rank), meta_size(meta_size) {}
    __LOCKSTEP_MEMBER operator thread_group() const { return thread_group(details::lanes_kind, mask, size(), thread_rank()); }
    __LOCKSTEP_MEMBER __lockstep_mask __lockstep_members() const { return mask; }
    __LOCKSTEP_MEMBER static bool is_valid() { return true; }
    __LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return meta_size == 0 ? __lockstep_any() : meta_rank; }
    __LOCKSTEP_MEMBER unsigned int meta_group_size() const { return meta_size == 0 ? __lockstep_any() : meta_size; }
};
__LOCKSTEP_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/* The thread's number in the group that tiles are parts of, and the size of that. */
template <unsigned int Size, class ParentT = void> class thread_block_tile;
template <class G> struct __lockstep_parent {
    __LOCKSTEP_STATIC unsigned int rank() { return __lockstep_rank(); }
    __LOCKSTEP_STATIC unsigned int size() { return __lockstep_size(); }
};
template <unsigned int Size, class G> struct __lockstep_parent<thread_block_tile<Size, G>> {
    __LOCKSTEP_STATIC unsigned int rank() { return __lockstep_lane() & (Size - 1); }
    __LOCKSTEP_STATIC unsigned int size() { return Size; }
};
/* The number of a tile among those that its parent was parted into, and how many those are. A tile whose type does not
   name its parent remembers them. */
template <unsigned int Size, class ParentT> struct __lockstep_parted {
    __LOCKSTEP_STATIC unsigned int meta_group_rank() { return __lockstep_parent<ParentT>::rank() / Size; }
    __LOCKSTEP_STATIC unsigned int meta_group_size() {
        return (__lockstep_parent<ParentT>::size() + Size - 1) / Size;
    }
};
template <unsigned int Size> class __lockstep_parted<Size, void> {
    unsigned int meta_rank, meta_size;

public:
    __LOCKSTEP_MEMBER __lockstep_parted() : meta_rank(0), meta_size(0) {}
    template <class G> __LOCKSTEP_MEMBER explicit __lockstep_parted(const __lockstep_parted<Size, G> &tile)
        : meta_rank(tile.meta_group_rank()), meta_size(tile.meta_group_size()) {}
    __LOCKSTEP_MEMBER unsigned int meta_group_rank() const { return meta_size == 0 ? __lockstep_any() : meta_rank; }
    __LOCKSTEP_MEMBER unsigned int meta_group_size() const { return meta_size == 0 ? __lockstep_any() : meta_size; }
};
template <unsigned int Size, class ParentT> class thread_block_tile : public __lockstep_parted<Size, ParentT> {
    static_assert(Size != 0 && (Size & (Size - 1)) == 0, "a tile has a power of two of threads");
    __LOCKSTEP_STATIC __lockstep_mask mask() {
        return Size == __LOCKSTEP_LANES ? ~(__lockstep_mask)0 : __lockstep_part(Size);
    }
    __LOCKSTEP_STATIC unsigned int first() { return __lockstep_lane() & ~(Size - 1); }
    __LOCKSTEP_STATIC __lockstep_mask own(__lockstep_mask lanes) { return (lanes & mask()) >> first(); }

public:
    __LOCKSTEP_MEMBER thread_block_tile() {}
    template <class G> __LOCKSTEP_MEMBER thread_block_tile(const thread_block_tile<Size, G> &tile)
        : __lockstep_parted<Size, ParentT>(tile) {}
    __LOCKSTEP_MEMBER operator thread_group() const { return thread_group(details::tile_kind, mask(), size(), thread_rank()); }
    __LOCKSTEP_STATIC __lockstep_mask __lockstep_members() { return mask(); }
    __LOCKSTEP_STATIC bool is_valid() { return true; }
    __LOCKSTEP_STATIC void sync() { __syncwarp(mask()); }
    __LOCKSTEP_STATIC unsigned int thread_rank() { return __lockstep_lane() & (Size - 1); }
    __LOCKSTEP_STATIC constexpr unsigned int size() { return Size; }
    __LOCKSTEP_STATIC constexpr unsigned int num_threads() { return Size; }
    __LOCKSTEP_STATIC int any(int predicate) { return __any_sync(mask(), predicate); }
    __LOCKSTEP_STATIC int all(int predicate) { return __all_sync(mask(), predicate); }
    __LOCKSTEP_STATIC __lockstep_mask ballot(int predicate) { return own(__ballot_sync(mask(), predicate)); }
    template <class T> __LOCKSTEP_STATIC __lockstep_mask match_any(T value) {
        return own(__match_any_sync(mask(), value));
    }
    template <class T> __LOCKSTEP_STATIC __lockstep_mask match_all(T value, int &all) {
        return own(__match_all_sync(mask(), value, &all));
    }
    /* Structs of whole words go word by word. */
#define __LOCKSTEP_SHUFFLE(NAME)                                                                                     \
    template <class T> __LOCKSTEP_STATIC T NAME(T value, int by) {                                                   \
        if constexpr (__is_class(T) && sizeof(T) % 4 == 0) {                                                         \
            unsigned int words[sizeof(T) / 4];                                                                       \
            __builtin_memcpy(words, &value, sizeof(T));                                                              \
            for (unsigned int &word : words) {                                                                       \
                word = __##NAME##_sync(mask(), word, by, Size);                                                      \
            }                                                                                                        \
            __builtin_memcpy(&value, words, sizeof(T));                                                              \
            return value;                                                                                            \
        } else {                                                                                                     \
            return (T)__##NAME##_sync(mask(), value, by, Size);                                                      \
        }                                                                                                            \
    }
    __LOCKSTEP_SHUFFLE(shfl)
    __LOCKSTEP_SHUFFLE(shfl_up)
    __LOCKSTEP_SHUFFLE(shfl_down)
    __LOCKSTEP_SHUFFLE(shfl_xor)
#undef __LOCKSTEP_SHUFFLE
};

template <unsigned int Size, class G, bool = (Size <= __LOCKSTEP_WARP_SIZE)> struct __lockstep_tile {
    __LOCKSTEP_STATIC thread_block_tile<Size, G> of() { return thread_block_tile<Size, G>(); }
};
template <unsigned int Size, class G> struct __lockstep_tile<Size, G, false> {
    __LOCKSTEP_STATIC thread_block_tile<__LOCKSTEP_WARP_SIZE, G> of() {
        return __lockstep_refused_tiled_partition(), thread_block_tile<__LOCKSTEP_WARP_SIZE, G>();
    }
};
template <unsigned int Size, class G>
__LOCKSTEP_INLINE thread_block_tile<Size <= __LOCKSTEP_WARP_SIZE ? Size : __LOCKSTEP_WARP_SIZE, G>
tiled_partition(const G &) {
    __lockstep_partition();
    return __lockstep_tile<Size, G>::of();
}
/* The last tile has the lanes that are left. */
__LOCKSTEP_INLINE thread_group tiled_partition(const thread_group &group, unsigned int size) {
    __lockstep_partition();
    if (size - 1 > __LOCKSTEP_WARP_SIZE - 1 || (size & (size - 1)) != 0) {
        __assert_fail("a tile has a power of two of threads, a warp at most", __FILE__, __LINE__, "tiled_partition");
    }
    unsigned int rank = group.thread_rank(), first = rank & ~(size - 1), left = (unsigned int)group.size() - first;
    unsigned int count = left < size ? left : size;
    if (group.get_type() == details::lanes_kind) {
        return thread_group(details::lanes_kind, group.mask().ranked(first, count), count, rank - first);
    }
    __lockstep_mask lanes = ~(__lockstep_mask)0 >> ((__LOCKSTEP_LANES - count) & (__LOCKSTEP_LANES - 1));
    return thread_group(details::tile_kind, lanes << (__lockstep_lane() & ~(size - 1)), count, rank - first);
}
__LOCKSTEP_INLINE coalesced_group tiled_partition(const coalesced_group &group, unsigned int size) {
    __lockstep_partition();
    unsigned int first = group.thread_rank() & ~(size - 1), left = group.size() - first;
    return coalesced_group(group.ranked(first, left < size ? left : size), first / size, (group.size() + size - 1) / size);
}
/* All lanes of a group take part in its partition, and no other lane does. In which order the groups are that it is
   parted into is not documented. */
template <class G> __LOCKSTEP_INLINE coalesced_group binary_partition(const G &group, bool predicate) {
    __lockstep_mask lanes = group.__lockstep_members(), which = __ballot_sync(lanes, predicate);
    return coalesced_group(predicate ? which : lanes & ~which, 0, 0);
}
template <class G, class L> __LOCKSTEP_INLINE coalesced_group labeled_partition(const G &group, L label) {
    return coalesced_group(__match_any_sync(group.__lockstep_members(), label), 0, 0);
}

/* One thread. */
class thread {
public:
    __LOCKSTEP_GROUP(thread_kind)
    __LOCKSTEP_STATIC void sync() {}
    __LOCKSTEP_STATIC unsigned int thread_rank() { return 0; }
    __LOCKSTEP_STATIC unsigned int size() { return 1; }
    __LOCKSTEP_STATIC unsigned int num_threads() { return 1; }
};
__LOCKSTEP_INLINE thread this_thread() { return thread(); }

/* Which thread it is that calls the function is not said, and may be another each time. */
template <class G, class F, class... A>
__LOCKSTEP_INLINE auto invoke_one(const G &, F &&function, A &&...arguments)
    -> decltype(static_cast<F &&>(function)(static_cast<A &&>(arguments)...)) {
    __lockstep_refused_invoke_one();
    return static_cast<F &&>(function)(static_cast<A &&>(arguments)...);
}
template <class G, class F, class... A>
__LOCKSTEP_INLINE auto invoke_one_broadcast(const G &group, F &&function, A &&...arguments)
    -> decltype(static_cast<F &&>(function)(static_cast<A &&>(arguments)...)) {
    return invoke_one(group, static_cast<F &&>(function), static_cast<A &&>(arguments)...);
}

template <class G> __LOCKSTEP_INLINE void sync(const G &group) { group.sync(); }
template <class G> __LOCKSTEP_INLINE void synchronize(const G &group) { group.sync(); }
template <class G> __LOCKSTEP_INLINE unsigned int thread_rank(const G &group) { return group.thread_rank(); }
template <class G> __LOCKSTEP_INLINE unsigned int group_size(const G &group) { return group.size(); }

} // namespace cooperative_groups

#endif
