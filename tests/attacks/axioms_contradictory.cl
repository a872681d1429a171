//unknown
//--local_size=64 --num_groups=4 --boogie-file=tests/attacks/axioms_contradictory.bpl

// What contradicts itself proves nothing.
DECLARE_UF_UNARY(f, uint, uint);

__kernel void axioms_contradictory(__global uint *out)
{
    out[0] = f(get_global_id(0));
}
