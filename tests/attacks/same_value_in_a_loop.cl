//pass
//--local_size=64 --num_groups=16
// Everyone writes the same value, each as often as it likes: whoever comes in a later iteration writes what is there.

__kernel void same_value_in_a_loop(__global int *found, __global const int *data, int wanted, int length, int mark)
{
    for (int i = get_global_id(0); i < length; i++) {
        if (data[i] == wanted) {
            *found = 2 * mark + 1;
        }
    }
}
