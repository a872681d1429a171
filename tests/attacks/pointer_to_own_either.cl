//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A pointer to one of two private variables, of different values.

__kernel void pointer_to_own_either(__global int *out)
{
    int one = 1, two = 2;
    int *chosen = (get_local_id(0) & 1) ? &one : &two;
    if (*chosen == 1) {
        barrier(CLK_LOCAL_MEM_FENCE); //~ barrier-divergence
    }
}
