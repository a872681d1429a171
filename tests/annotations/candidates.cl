//pass
//--local_size=64 --num_groups=4
// Of two guesses one is right; the wrong one is dropped.
__kernel void candidates(__global int *out, uint n)
{
    uint square = 0;
    uint k;
    for (k = 0; __candidate_invariant(square == k * k), __candidate_invariant(square == 2 * k), k < n; k++) {
        square += 2 * k + 1;
    }
    out[get_global_id(0) + square - k * k] = k;
}
