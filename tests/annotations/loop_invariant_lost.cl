//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// It holds at first, but not after an iteration.
__kernel void loop_invariant_lost(__global int *out)
{
    uint square = 0;
    uint k;
    for (k = 0; __invariant(square == k * k), k < 4; k++) { //~ assertion
        square += 2 * k;
    }
    out[get_global_id(0)] = square;
}
