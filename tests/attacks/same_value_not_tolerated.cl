//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16 --no-benign-tolerance
// The same value from everyone is a race where that is not tolerated.

__kernel void same_value(__global int *found, __global const int *data, int wanted)
{
    if (data[get_global_id(0)] == wanted) {
        *found = 1; //~ race
    }
}
