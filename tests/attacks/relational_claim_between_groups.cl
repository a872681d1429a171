//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// True of two threads of one group, but not of every two: so it must not be believed of these and hide the race.
__kernel void relational_claim_between_groups(__global int *out)
{
    __assert(__distinct_int(get_local_id(0))); //~? assertion
    out[get_local_id(0)] = get_global_id(0);
}
