//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=*
// The condition of the function is asserted where it is called, and says nothing about other
// threads. If m were taken for 64 everywhere, threads of different groups would not meet.

void aligned(int m)
{
    __requires(m == 64);
}

__kernel void k(__global int *a, int m)
{
    int lid = get_local_id(0);
    if (lid > 100)
        aligned(m);
    a[get_group_id(0) * m + lid] = lid; //~ race
}
