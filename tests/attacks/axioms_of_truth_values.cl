//pass
//--local_size=2 --num_groups=1 --boogie-file=tests/attacks/axioms_of_truth_values.bpl

DECLARE_UF_UNARY(even, uint, bool);

__kernel void axioms_of_truth_values(__global uint *out)
{
    uint x = get_local_id(0);
    __assert(even(x) != even(x + 1));
    if (even(x) && x != 1 || !even(x) && x == 1) {
        out[x] = 1;
    } else {
        out[0] = x;
    }
    __assert(even(0) && !even(1));
}
