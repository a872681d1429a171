//pass
//--local_size=64 --num_groups=16
// Which of two arrays is written is looked up in a private array of pointers, and in one of structs.

struct view {
    __global int *data;
    int value;
};

__kernel void pointers_in_private_array(__global int *a, __global int *b, int k)
{
    uint gid = get_global_id(0);
    __global int *arrays[2] = {a, b};
    arrays[k & 1][gid] = gid;
    struct view views[2] = {{a + 1024, 1}, {b + 1024, 2}};
    views[k & 1].value = 3;
    struct view chosen = views[k & 1];
    chosen.data[gid] = gid;
}
