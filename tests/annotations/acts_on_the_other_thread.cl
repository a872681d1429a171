//xfail:INPUT
//--local_size=64 --num_groups=1
// Of any two threads only the one with the lower id would write. On a device there is no such thing.
__kernel void acts_on_the_other_thread(__global int *out)
{
    if (__other_int(get_local_id(0)) > get_local_id(0)) {
        out[0] = get_local_id(0);
    }
}
