//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// In each iteration everyone writes the same value, but it is another one than in the iteration before, and nobody waits.

__kernel void same_value_in_a_loop_changes(__global int *last, int length)
{
    for (int i = 0; i < length; i++) {
        *last = 2 * i + 1; //~ race
    }
}
