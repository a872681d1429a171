//pass
//--local_size=64 --num_groups=16
// Structs within structs, arrays within them, and one passed by value.

struct point {
    float x, y;
};
struct shape {
    int kind;
    struct point corners[3];
};
struct options {
    uint first;
    uint stride;
};

__kernel void structs(__global struct shape *shapes, __global uint *a, struct options options)
{
    uint gid = get_global_id(0);
    struct shape shape = {0};
    shape.corners[1].x = options.first;
    shapes[gid] = shape;
    shapes[gid].corners[gid % 3].y = options.stride;
    a[gid] = options.first + options.stride;
}
