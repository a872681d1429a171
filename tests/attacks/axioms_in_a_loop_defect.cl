//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --boogie-file=tests/attacks/axioms_increasing.bpl

// What holds of the value before says nothing of the next one.
DECLARE_UF_UNARY(f, uint, uint);

__kernel void axioms_in_a_loop_defect(__global uint *out, __global const uint *table, uint n)
{
    uint x = 0;
    for (uint i = 0; i < n; i++) {
        uint y = f(x);
        __assert(y >= x);
        x = table[i];
        __assert(y >= x); //~? assertion
    }
    out[get_global_id(0)] = x;
}
