//pass
//--local_size=* --num_groups=*
// As attacks/requires_an_equation.cl with the argument that is fixed. The remainder is a constant's.

__kernel void k(__global int *a, int m, int width)
{
    __requires(m == 64 && get_local_size(0) == 64);
    int lid = get_local_id(0);
    a[get_group_id(0) * m + lid % m] = lid;
}
