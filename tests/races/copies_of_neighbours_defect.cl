// racy
// run: --local-size=32 --num-groups=4 --arg=in=random:int*128 --arg=out=zeros:int*128
// With a distance of two the elements of a group's copy are also those of the next but one.

__kernel void copies_of_neighbours(__global const int *in, __global int *out)
{
    __local int part[32];
    event_t event = async_work_group_strided_copy(part, in + get_group_id(0), 32, 4, 0);
    event = async_work_group_copy(part, in, 0, event);
    wait_group_events(1, &event);
    event = async_work_group_strided_copy(out + get_group_id(0), part, 32, 2, 0); //~ race
    wait_group_events(1, &event);
}
