//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// What is stored is uninitialised; that it is stored still races.

struct pair {
    int first;
    int second[4];
};

__kernel void uninitialised_struct_stored(__global struct pair *out)
{
    struct pair empty;
    out[0] = empty; //~? race
}
