//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --boogie-file=tests/annotations/slots_bounded.bpl
// That each slot is one of 64 is not enough.
DECLARE_UF_UNARY(slot_of, uint, uint);

__kernel void axioms_too_weak(__global int *out)
{
    uint slot = slot_of(get_local_id(0));
    __assert(slot < 64);
    out[get_group_id(0) * 64 + slot] = get_local_id(0); //~? race
}
