//xfail:NOT_ALL_VERIFIED
//--local_size=100 --num_groups=5
// As stride_segment.cl, but the segments overlap.

__kernel void stride_segment_defect(__global int *owner)
{
    int first = get_group_id(0) * 990;
    for (int i = get_local_id(0); i < 1000; i += get_local_size(0)) {
        owner[first + i] = get_local_id(0); //~ race
    }
}
