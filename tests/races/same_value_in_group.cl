// race-free
// run: --local-size 64 --num-groups 2
// Threads that find something write the same value to local memory; it is read behind a barrier.

__kernel void same_value_in_group(__global int *out)
{
    __local int found;
    found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) % 5 == 0) {
        found = 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = found;
}
