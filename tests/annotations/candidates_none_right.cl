//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Wrong guesses are dropped, not believed: all threads write the same element.
__kernel void candidates_none_right(__global int *out, uint n)
{
    uint k;
    for (k = 0; __candidate_invariant(k == get_global_id(0)), __candidate_invariant(0), k < n; k++) {
    }
    out[k] = get_global_id(0); //~ race
}
