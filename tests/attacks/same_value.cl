//pass
//--local_size=64 --num_groups=16
// Everyone writes the same value: tolerated, and listed as an assumption.

__kernel void same_value(__global int *found, __global const int *data, int wanted)
{
    if (data[get_global_id(0)] == wanted) {
        *found = 1;
    }
}
