//pass
//--local_size=100 --num_groups=5
// Each group fills its own segment of 1000 cells.
// needs bounds

__kernel void stride_segment(__global int *owner)
{
    int first = get_group_id(0) * 1000;
    for (int i = get_local_id(0); i < 1000; i += get_local_size(0)) {
        owner[first + i] = get_local_id(0);
    }
}
