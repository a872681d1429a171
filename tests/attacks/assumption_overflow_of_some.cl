//pass
//--local_size=64 --num_groups=1
// The last thread computes the largest number.

__kernel void near_the_end(__global int *list)
{
    int i = 0x7fffffc0 + (int)get_global_id(0);
    list[i - 0x7fffffc0] = i;
}
