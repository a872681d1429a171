//pass
//--local_size=64 --num_groups=4
// Behind the invariants comes the end, whatever paths lead elsewhere.
__kernel void function_wide_after_return(__global uint *out, uint n)
{
    if (n > 1000) {
        return;
    }
    for (uint i = 0; i < n; i++) {
        out[get_global_id(0)] += i;
    }
    __function_wide_invariant((n <= 1000) & (n >= 0));
    __function_wide_candidate_invariant((n < 10) | (n > 20));
}
