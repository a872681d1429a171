//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// A variable without a value may have any, a different one for each work-item.

__kernel void uninitialised_condition(__global int *cell)
{
    int x;
    if (x == 5) {
        *cell = get_global_id(0); //~? race
    }
}
