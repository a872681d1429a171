//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Floats are compared by a function of which nothing is known.
//because: the result of computing with floats is not modelled

__kernel void compared_floats(__global int *out, __global const float *in) {
    int i = get_global_id(0);
    if (in[i] < 0.5f)
        out[0] = i;
}
