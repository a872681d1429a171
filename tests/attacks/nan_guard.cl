//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// x != x holds for a NaN.

__kernel void nan_guard(__global const float *in, __global uint *nans)
{
    float x = in[get_global_id(0)];
    if (x != x) {
        *nans = get_global_id(0); //~? race
    }
}
