//pass
//--local_size=64 --num_groups=4 --boogie-file=tests/annotations/slots.bpl
// That different threads have different slots follows from what the file states: a slot can be traced back.
DECLARE_UF_UNARY(slot_of, uint, uint);

__kernel void axioms(__global int *out)
{
    uint slot = slot_of(get_local_id(0));
    __assert(slot < 64);
    out[get_group_id(0) * 64 + slot] = get_local_id(0);
}
