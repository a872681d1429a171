//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --no-check=uninitialised
// A race of a read that is repeated is found at the first of the two.

__kernel void read_again_first(__global int *out)
{
    __local int a[64];
    int id = get_local_id(0);
    int first = a[(id + 1) % 64]; //~ race
    int again = a[(id + 1) % 64];
    a[id] = id; //~ race
    out[id] = first + again;
}
