//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Nothing races before the 1000th round.

__kernel void iteration_1000(__global int *out)
{
    for (int i = 0; i < 2000; i++) {
        if (i == 1000) {
            *out = get_global_id(0); //~ race
        }
    }
}
