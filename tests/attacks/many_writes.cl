//pass
//--local_size=8 --num_groups=1
// Very many writes of each thread to its own cell share a hit.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_writes(__global int *a)
{
    int t = get_local_id(0);
    W64
    W64
    W64
}
