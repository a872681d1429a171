//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As small_scope_stride.cl, by as many places as the launch has work-items and one, in place: a work-item reads what its
// neighbour writes in the next iteration.

__kernel void shift(__global int *a, uint n)
{
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        a[i] = a[i + get_global_size(0) + 1]; //~ race
    }
}
