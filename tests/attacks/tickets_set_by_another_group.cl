//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=12 --only-intra-group
// Another group sets the counter while this one draws from it. That race is not asked about, but what comes of it is.

__kernel void set_by_another_group(__global unsigned *counter, __global int *out)
{
    if (get_group_id(0) == 1) {
        if (get_local_id(0) == 0) {
            counter[0] = 0;
        }
        return;
    }
    out[atomic_inc(counter)] = get_local_id(0); //~? race
}
