//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// An endless loop with a race in it.

__kernel void never_ends_and_races(__global int *out)
{
    for (;;) {
        out[0] = get_global_id(0); //~ race
    }
}
