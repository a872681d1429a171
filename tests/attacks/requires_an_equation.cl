//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// The equations fix one argument and one size. The width of a row is another argument, which stays
// open.

__kernel void k(__global int *a, int m, int width)
{
    __requires(m == 64 && get_local_size(0) == 64);
    int lid = get_local_id(0);
    a[get_group_id(0) * width + lid % m] = lid; //~ race
}
