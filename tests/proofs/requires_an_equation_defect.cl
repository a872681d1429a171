//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As requires_an_equation.cl, but the last thread of a group has the first one's element.

__kernel void k(__global int *a, int m, int width)
{
    __requires(m == 64 && get_local_size(0) == 64);
    int lid = get_local_id(0);
    a[get_group_id(0) * m + lid % (m - 1)] = lid; //~ race
}
