//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Two groups each take the same place; what is known of one group's memory must not be believed of the other's.
__kernel void barrier_invariant_of_groups_defect(__global int *out)
{
    __local uint owner[64];
    owner[get_local_id(0)] = get_group_id(0) / 2;
    __barrier_invariant_1(owner[get_local_id(0)] == get_group_id(0) / 2, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        out[owner[1]] = get_group_id(0); //~ race
    }
}
