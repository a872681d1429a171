//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// The index is set for some work-items only; for the others it may be anyone's.

__kernel void uninitialised_index(__global const int *chosen, __global int *out)
{
    int i;
    if (chosen[get_global_id(0)]) {
        i = get_global_id(0);
    }
    out[i] = get_global_id(0); //~ race
}
