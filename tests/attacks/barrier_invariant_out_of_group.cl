//xfail:NOT_ALL_VERIFIED
//--local_size=32 --num_groups=1 --no-check=uninitialised
// There is no thread 32 to have put anything down: what the invariant says of it is about nobody.
__kernel void barrier_invariant_out_of_group(__global int *out)
{
    __local uint place[64];
    place[get_local_id(0)] = get_local_id(0);
    __barrier_invariant_1(place[get_local_id(0)] == get_local_id(0), get_local_id(0) + 32);
    barrier(CLK_LOCAL_MEM_FENCE);
    __assert(place[get_local_id(0) + 32] == get_local_id(0) + 32); //~ assertion
    out[get_local_id(0)] = 1;
}
