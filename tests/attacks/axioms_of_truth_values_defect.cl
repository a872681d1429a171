//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=1 --boogie-file=tests/attacks/axioms_of_truth_values.bpl

DECLARE_UF_UNARY(even, uint, bool);

__kernel void axioms_of_truth_values_defect(__global uint *out, uint n)
{
    uint x = get_local_id(0) + n;
    __assert(even(x) || even(x + 1));
    if (even(n)) {
        out[0] = x; //~? race
    }
}
