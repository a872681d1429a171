//conditional: get_local_size(0) <= 16
//--local-size=* --num-groups=*
// contract: get_local_size(0) == 16
// The tile has room for sixteen threads.

__kernel void reverse(__global int *a)
{
    __local int tile[16];
    int lid = get_local_id(0), size = get_local_size(0);
    int start = get_group_id(0) * size;
    tile[lid] = a[start + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef DEFECT
    a[start] = tile[size - 1 - lid];
#else
    a[start + lid] = tile[size - 1 - lid];
#endif
}
