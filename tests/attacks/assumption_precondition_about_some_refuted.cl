//unknown
//--local_size=64 --num_groups=1
// Half of the threads do not satisfy it, in no run: of the others alone something would be proved.

__kernel void about_some(__global int *list)
{
    __requires(get_local_id(0) < 32);
    list[get_local_id(0) % 32] = get_local_id(0);
}
