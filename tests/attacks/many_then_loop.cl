//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Writes in a loop after very many others reach a neighbour's cell in the last iteration.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_then_loop(__global int *a)
{
    int t = get_local_id(0);
    W64 //~ race
    W64
    W64
    for (int i = 0; i < 2; i++)
        a[t ^ i] = 3; //~ race
}
