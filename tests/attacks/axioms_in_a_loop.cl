//pass
//--local_size=64 --num_groups=4 --boogie-file=tests/attacks/axioms_increasing.bpl

// What the axioms say of each iteration's values makes an invariant.
DECLARE_UF_UNARY(f, uint, uint);

__kernel void axioms_in_a_loop(__global uint *out, uint n)
{
    uint start = get_global_id(0);
    uint x = start;
    for (uint i = 0; __invariant(x >= start), i < n; i++) {
        x = f(x);
    }
    __assert(x >= start);
    __assert(f(x) >= f(start));
    __assert(f(0) > 6 && f(start) > 6);
    out[get_global_id(0)] = x;
}
