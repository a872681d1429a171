//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Half of the threads write to a neighbour's cell, after very many writes under either condition.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_in_branches_shifted(__global int *a)
{
    int t = get_local_id(0);
    if (t < 4) {
        W64
        W64
    } else {
        W64 //~ race
        W64
    }
    if (t == 3)
        a[4] = 3; //~ race
}
