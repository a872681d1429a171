//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As strided_fill.cl, but the stride is one too small: work-item 63's first element is
// work-item 0's second.

#define SEGMENT 1000

__kernel void strided_fill(__global int *owner)
{
    int first = get_group_id(0) * SEGMENT;
    for (int i = get_local_id(0); i < SEGMENT; i += get_local_size(0) - 1) {
        owner[first + i] = get_local_id(0); //~ race
    }
}
