//pass
//--local_size=32 --num_groups=1
// All threads satisfy it.

__kernel void about_some(__global int *list)
{
    __requires(get_local_id(0) < 32);
    list[get_local_id(0) % 32] = get_local_id(0);
}
