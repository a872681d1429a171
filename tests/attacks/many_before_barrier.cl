//pass
//--local_size=8 --num_groups=1
// A barrier separates very many writes from one to a neighbour's cell.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_before_barrier(__global int *a)
{
    int t = get_local_id(0);
    W64
    W64
    W64
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[t ^ 1] = 3;
}
