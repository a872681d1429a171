//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What nobody wrote need not be the same when it is read again.

__kernel void uninitialised_read_twice(__global int *out, uint n)
{
    int values[4];
    if (values[n & 3] == 1) {
        if (values[n & 3] == 2) {
            out[0] = get_local_id(0); //~? race
        }
    }
}
