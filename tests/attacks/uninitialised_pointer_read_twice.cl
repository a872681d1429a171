//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As uninitialised_read_twice.cl, of a pointer.

__kernel void uninitialised_pointer_read_twice(__global int *a, __global int *b, uint n)
{
    __global int *places[4];
    places[n & 1] = a;
    if (places[n & 3] == a) {
        if (places[n & 3] == b) {
            a[0] = get_local_id(0); //~? race
        }
    }
}
