// racy
// run: --local-size 1 --num-groups 2
// mem_fence is a fence of the group's scope: between groups it orders nothing.

__kernel void message_with_fences(__global int *data, __global int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42; //~ race
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(flag, 1);
    } else {
        while (atomic_or(flag, 0) == 0) {
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *out = *data; //~ race
    }
}
