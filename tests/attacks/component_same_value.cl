//pass
//--local_size=64 --num_groups=4
// Every thread writes the same value to one component. Nobody else loses anything by that.

__kernel void component_same_value(__global int4 *flags)
{
    flags[0].z = 1;
    if (get_global_id(0) == 7) {
        flags[0].w = 5;
    }
}
