//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --vcgen-opt=/checkArrays:count

__kernel void check_arrays_races(__global int *out, __global int *count)
{
    count[0] = get_global_id(0); //~ race
    out[0] = get_global_id(0);
}
