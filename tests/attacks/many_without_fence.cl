//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// A barrier that orders local memory only separates nothing in global memory.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_without_fence(__global int *a)
{
    int t = get_local_id(0);
    W64 //~ race
    W64
    W64
    barrier(CLK_LOCAL_MEM_FENCE);
    a[t ^ 1] = 3; //~ race
}
