//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A copy of what nobody wrote is no better.

__kernel void uninitialised_moved(__global int *out, uint n)
{
    int values[4] = {0, 0, 0, 0};
    int nothing;
    values[1] = nothing;
    if (values[n & 3] == 1) {
        if (values[n & 3] == 2) {
            out[0] = get_local_id(0); //~? race
        }
    }
}
