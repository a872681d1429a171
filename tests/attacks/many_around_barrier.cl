//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// Behind the barrier the same writes are hit again, and a hit from before it must not stand for them.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_around_barrier(__global int *a)
{
    int t = get_local_id(0);
    W64
    W64
    W64
    barrier(CLK_GLOBAL_MEM_FENCE);
    W64 //~ race
    W64
    W64
    a[t ^ 1] = 3; //~ race
}
