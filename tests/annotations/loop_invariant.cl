//pass
//--local_size=64 --num_groups=4
// Squares as sums of odd numbers: that `square` is `k * k` is what the index hinges on.
__kernel void loop_invariant(__global int *out, uint n)
{
    uint square = 0;
    uint k;
    for (k = 0; __invariant(square == k * k), k < n; k++) {
        square += 2 * k + 1;
    }
    out[get_global_id(0) + square - k * k] = k;
}
