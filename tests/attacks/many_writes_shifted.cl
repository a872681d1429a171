//xfail:NOT_ALL_VERIFIED
//--local_size=8 --num_groups=1
// The last of very many writes is to a neighbour's cell, which the others' shared hit must tell.

#define W a[t] = __COUNTER__;
#define W8 W W W W W W W W
#define W64 W8 W8 W8 W8 W8 W8 W8 W8

__kernel void many_writes_shifted(__global int *a)
{
    int t = get_local_id(0);
    W64 //~ race
    W64
    W64
    a[t ^ 1] = 3; //~ race
}
