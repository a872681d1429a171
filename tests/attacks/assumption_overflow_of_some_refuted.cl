//unknown
//--local_size=64 --num_groups=2
// Half of the threads overflow in every run, and no two of the others race.

__kernel void near_the_end(__global int *list)
{
    int i = 0x7fffffc0 + (int)get_global_id(0);
    list[i - 0x7fffffc0] = i;
}
