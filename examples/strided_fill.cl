//pass
//--local_size=64 --num_groups=16
// Each group fills its own segment of 1000 elements, its 64 work-items taking turns. That 1000
// is no multiple of 64 matters: the guard, not the number of iterations, keeps the last round
// out of the next group's segment.

#define SEGMENT 1000

__kernel void strided_fill(__global int *owner)
{
    int first = get_group_id(0) * SEGMENT;
    for (int i = get_local_id(0); i < SEGMENT; i += get_local_size(0)) {
        owner[first + i] = get_local_id(0);
    }
}
