//xfail:NOT_ALL_VERIFIED
//--local_size=1 --num_groups=1
// A function without a body that is given a variable may leave a null pointer in it.

struct place {
    __global int *at;
    int count;
};

void move(struct place *place);

__kernel void null_left_by_unknown_function(__global int *out)
{
    struct place place;
    place.at = out;
    move(&place);
    *place.at = 1; //~? null-dereference
}
