//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The sum begins at 1, so the invariant is off by one from the start.
__kernel void loop_invariant_wrong(__global int *out, uint n)
{
    uint square = 1;
    uint k;
    for (k = 0; __invariant(square == k * k), k < n; k++) { //~ assertion
        square += 2 * k + 1;
    }
    out[get_global_id(0) + square - k * k] = k;
}
