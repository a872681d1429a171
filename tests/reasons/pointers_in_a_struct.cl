//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The two pointers may lead to the same memory.
//because: where pointers lead is not modelled

struct views {
    __global int *from;
    __global int *to;
};

__kernel void pointers_in_a_struct(struct views views)
{
    const size_t id = get_global_id(0);
    views.to[id] = views.from[id] + 1;
}
