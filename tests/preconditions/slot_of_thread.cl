//conditional: stride >= 0 && stride >= get_local_size(0)
//--local-size=* --num-groups=*
// contract: stride >= 1 && stride >= get_local_size(0)
// Each group has a row of its own, with an element for each thread.

__kernel void slots(__global int *a, int stride)
{
    int lid = get_local_id(0);
    a[get_group_id(0) * stride + lid] = lid;
#ifdef DEFECT
    a[get_group_id(0) * stride] = lid;
#endif
}
