//pass
//--local_size=64 --num_groups=4
// What a group's memory holds says which group it is.
__kernel void barrier_invariant_of_groups(__global int *out)
{
    __local uint owner[64];
    owner[get_local_id(0)] = get_group_id(0);
    __barrier_invariant_1(owner[get_local_id(0)] == get_group_id(0), 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        out[owner[1]] = get_group_id(0);
    }
}
