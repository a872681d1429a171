//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As same_mark.cl, but what is said depends on where it was found.

__kernel void same_mark_defect(__global int *found, __global const int *data, int wanted, int length, int mark)
{
    for (int i = get_global_id(0); i < length; i++) {
        if (data[i] == wanted) {
            *found = 2 * mark + (i & 1); //~ race
        }
    }
}
