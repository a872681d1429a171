//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Segments of 1000 elements, filled by 64 work-items in turns: <= for < reaches the next segment,
// and only work-item 40 of each group does.

__kernel void guard_one_too_far(__global int *owner)
{
    int first = get_group_id(0) * 1000;
    for (int i = get_local_id(0); i <= 1000; i += get_local_size(0)) {
        owner[first + i] = get_local_id(0); //~ race
    }
}
