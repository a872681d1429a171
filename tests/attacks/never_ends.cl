//unknown
//--local_size=64 --num_groups=16
// What stands behind an endless loop is never executed: nothing would be proved.

__kernel void never_ends(__global int *out)
{
    while (1) {
    }
    out[0] = get_global_id(0);
}
