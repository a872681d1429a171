//pass
//--local_size=64 --num_groups=4
// Nothing is known of the function but that it is one, and what the axiom says of sizes.
DECLARE_UF_UNARY(slot_of, uint, uint);
__axiom(get_num_groups(0) == 4)

__kernel void uninterpreted(__global int *out)
{
    uint slot = slot_of(get_local_id(0));
    __requires(slot < 64);
    __requires(__implies(__same_group, __distinct_int(slot)));
    out[get_group_id(0) * 64 + slot] = get_local_id(0);
    __assert(slot == slot_of(get_local_id(0)));
    __assert(get_num_groups(0) == 4);
}
