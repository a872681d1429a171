//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// It speaks of memory at the function's end, where another value stands than at its beginning.
void put(__global int *out, int value)
{
    __ensures(out[get_local_id(0)] == __old_int(out[get_local_id(0)])); //~ assertion
    out[get_local_id(0)] = value;
}

__kernel void postcondition_of_memory(__global int *out)
{
    out[get_local_id(0)] = 1;
    put(out, 2);
}
