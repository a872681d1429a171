//pass
//--local_size=64 --num_groups=16
// A private struct carries the pointers about.

struct view {
    __global uint *data;
    uint stride;
};

uint fill(struct view *view, uint i)
{
    view->data[i * view->stride] = i;
    return view->stride;
}

__kernel void pointer_in_struct(__global uint *a, __global uint *b)
{
    struct view views[2] = {{a, 1}, {b, 3}};
    uint gid = get_global_id(0);
    fill(&views[0], gid);
    fill(&views[1], gid);
}
