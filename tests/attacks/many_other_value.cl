//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Very many writes of one value, and one of another to a neighbour's cell.

#define W a[t] = 7;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_other_value(__global int *a)
{
    int t = get_local_id(0);
    W64 //~ race
    W64
    W64
    a[t ^ 1] = 8; //~ race
}
