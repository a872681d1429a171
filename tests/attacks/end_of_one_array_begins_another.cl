//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Buffers that do not overlap may still be neighbours.

__kernel void end_of_one_array_begins_another(__global int *a, __global int *b, uint n, __global int *out)
{
    if (a + n == b) {
        out[0] = get_local_id(0); //~? race
    }
}
