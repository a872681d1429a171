//unknown
//--local_size=64 --num_groups=1
// Half of the factors have more than 24 bits in every run.

__kernel void factors(__global int *list)
{
    int i = get_local_id(0);
    list[mul24(i << 18, 2) >> 19] = i;
}
