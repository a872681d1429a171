//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --no-check=uninitialised
// The pointer that a function without a body returns may be null.

__local int *find(int i);

__kernel void function_without_body_null(int i, __global int *result, __local int *tables)
{
    result[get_global_id(0)] = *find(i); //~? null-dereference
}
