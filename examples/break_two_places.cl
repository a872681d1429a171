//pass
//--local_size=64 --num_groups=16
// A loop left by break from two places: each work-item copies a list, up to a negative element
// or up to and with a zero, and ends the copy with -1 if there is room.

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
        out[first + i] = element;
        if (element == 0) {
            i++;
            break;
        }
    }
    if (i < LENGTH) {
        out[first + i] = -1;
    }
}
