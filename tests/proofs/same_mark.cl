//pass
//--local_size=64 --num_groups=16
// needs hit-facts
// Whoever finds something says so, as often as it likes, and always the same.

__kernel void same_mark(__global int *found, __global const int *data, int wanted, int length, int mark)
{
    for (int i = get_global_id(0); i < length; i++) {
        if (data[i] == wanted) {
            *found = 2 * mark + 1;
        }
    }
}
