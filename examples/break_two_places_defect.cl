//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As break_two_places.cl, but it does not check that there is room: a full list's end mark
// falls into the first element of the next list.

#define LENGTH 8

__kernel void copy_lists(__global const int *in, __global int *out)
{
    int first = get_global_id(0) * LENGTH;
    int i;
    for (i = 0; i < LENGTH; i++) {
        int element = in[first + i];
        if (element < 0) {
            break;
        }
        out[first + i] = element; //~ race
        if (element == 0) {
            i++;
            break;
        }
    }
    out[first + i] = -1; //~ race
}
