//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Two pointers in a struct may lead to the same memory.

struct views {
    __global int *from;
    __global int *to;
};

__kernel void pointer_in_memory(struct views views)
{
    const size_t id = get_global_id(0);
    views.to[id] = views.from[id] + 1; //~? race
}
