//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Written on one of two paths.

__kernel void uninitialised_on_one_path(__global int *out, uint n, int s)
{
    int values[4];
    if (s > 0)
        values[0] = values[1] = values[2] = values[3] = s;
    if (values[n & 3] == 1) {
        if (values[n & 3] == 2) {
            out[0] = get_local_id(0); //~? race
        }
    }
}
