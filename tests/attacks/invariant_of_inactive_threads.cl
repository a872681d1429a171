//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Both threads count alike while both are there; one that has left keeps its count, so the counts differ.
__kernel void invariant_of_inactive_threads(__global int *out)
{
    uint count = 0;
    while (__global_invariant(__uniform_int(count)), count < get_local_id(0)) { //~? assertion
        count++;
    }
    out[get_global_id(0)] = count;
}
