//pass
//--local_size=8 --num_groups=1
// Writes under different conditions have hits of their own.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_in_branches(__global int *a)
{
    int t = get_local_id(0);
    if (t < 4) {
        W64
    } else {
        W64
    }
    W64
}
