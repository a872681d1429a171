//pass
//--local_size=64 --num_groups=* --assume 'level > 0 && level <= 32 && total >= 0'
// All ways to place queens: each work-item continues one partial board with a stack of its own in local
// memory, interleaved with those of the group.

#define GROUP_SIZE 64
#define MAX_LEVEL 32

__kernel void nqueens(int board, int level, __global const uint *params, __global uint *results, int total)
{
    __local uint mask[MAX_LEVEL * GROUP_SIZE];
    __local uint left_mask[MAX_LEVEL * GROUP_SIZE];
    __local uint right_mask[MAX_LEVEL * GROUP_SIZE];
    __local uint free_cells[MAX_LEVEL * GROUP_SIZE];
    int lid = get_local_id(0);
    int gid = get_global_id(0);
    uint solutions = 0;

    if (gid < total) {
        uint board_mask = (1U << board) - 1;
        mask[lid] = params[gid]; //~ race m0
        left_mask[lid] = params[gid + total]; //~ race l0
        right_mask[lid] = params[gid + 2 * total]; //~ race r0
        free_cells[lid] = board_mask & ~(mask[lid] | left_mask[lid] | right_mask[lid]); //~ race f0 fm fl fr

        int i = 0;
        while (i >= 0) {
            int top = i * GROUP_SIZE + lid;
            uint cells = free_cells[top]; //~ race f1
            if (cells == 0) {
                i--;
            } else {
                uint queen = cells & -cells;
                free_cells[top] = cells ^ queen; //~ race f2
                if (i == level - 1) {
                    solutions++;
                } else {
#ifdef DEFECT
                    int next = top + GROUP_SIZE - 1;
#else
                    int next = top + GROUP_SIZE;
#endif
                    mask[next] = mask[top] | queen; //~ race m0 m1 m2 fm
                    left_mask[next] = (left_mask[top] | queen) << 1; //~ race l0 l1 l2 fl
                    right_mask[next] = (right_mask[top] | queen) >> 1; //~ race r0 r1 r2 fr
                    free_cells[next] = board_mask & ~(mask[next] | left_mask[next] | right_mask[next]); //~ race f0 f1 f2 f3 m2 l2 r2
                    i++;
                }
            }
        }
    }
    results[gid] = solutions;
}
