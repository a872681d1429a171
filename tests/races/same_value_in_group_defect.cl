// racy
// run: --local-size 64 --num-groups 2
// No barrier stands between the two values: a late 0 may follow an early 1.

__kernel void same_value_in_group(__global int *out)
{
    __local int found;
    found = 0; //~ race
    if (get_global_id(0) % 5 == 0) {
        found = 1; //~ race
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = found;
}
