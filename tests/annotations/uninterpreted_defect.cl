//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Different arguments may well have the same slot.
DECLARE_UF_UNARY(slot_of, uint, uint);

__kernel void uninterpreted_defect(__global int *out)
{
    uint slot = slot_of(get_global_id(0));
    __requires(slot < 256);
    out[slot] = get_global_id(0); //~? race
}
