//xfail:NOT_ALL_VERIFIED
//--local_size=100 --num_groups=5
// As stride_rows_of_100.cl, but the stride is too small.

__kernel void stride_rows_of_100_defect(__global int *owner, uint n)
{
    n &= 0xFFFFFF;
    for (uint i = get_global_id(0); i < n; i += 499) {
        owner[i] = get_global_id(0); //~ race
    }
}
