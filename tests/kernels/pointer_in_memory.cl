//pass
//--local_size=64 --num_groups=16
// The pointer in the struct is one pointer, however often it is read.

struct view {
    __global int *data;
    int length;
};

__kernel void pointer_in_memory(struct view view)
{
    const size_t id = get_global_id(0);
    view.data[id] = view.length;
    view.data[id] += 1;
}
