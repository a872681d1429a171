//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --check-arrays=out

// What is assumed of accesses that are not logged says nothing: not even that no thread gets any further.
__kernel void check_arrays_assumes_no_access(__global int *out, __global int *count)
{
    count[0] = 1;
    __assume(__write(count));
    out[0] = get_global_id(0); //~ race
}
