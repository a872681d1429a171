//pass
//--local_size=2 --num_groups=1
// Two threads write, each in the reach of its array.

__kernel void far(__global char *list)
{
    ulong i = get_global_id(0);
    list[i << (i >= 2 ? 58 : 4)] = 1;
}
