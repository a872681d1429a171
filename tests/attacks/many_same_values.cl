//pass
//--local_size=8 --num_groups=1
// Very many writes of one value, to a neighbour's cell, too: no race.

#define W a[t] = 7;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_same_values(__global int *a)
{
    int t = get_local_id(0);
    W64
    W64
    W64
    a[t ^ 1] = 7;
}
