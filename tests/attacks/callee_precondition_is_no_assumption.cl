//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A function may not take for granted what its caller does not see to: no two threads would race then.
void put(__global int *out, uint place)
{
    __requires(place == get_local_id(0)); //~ assertion
    out[place] = get_local_id(0);
}

__kernel void callee_precondition_is_no_assumption(__global int *out)
{
    put(out, get_local_id(0) / 2);
}
