//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// corners[3] of one shape is the beginning of the next.

struct point {
    int x, y;
};
struct shape {
    struct point corners[3];
};

__kernel void neighbour(__global struct shape *shapes)
{
    uint gid = get_global_id(0);
    shapes[gid].corners[0].x = gid; //~ race
    shapes[gid].corners[gid % 2 + 2].x = gid; //~ race
}
