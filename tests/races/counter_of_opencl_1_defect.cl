// racy
// run: --local-size 32 --num-groups 2
// The counter is counted up by a load and a store: slots may be taken twice, too, but that depends on the run.

__kernel void counter_of_opencl_1(__global int *count, __global int *slots)
{
    int slot = (*count)++; //~ race
    slots[get_global_id(0)] = slot;
}
