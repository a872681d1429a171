//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Twice a number is another number.
__kernel void taken_defect(__global uint *counter, __global int *out)
{
    while (__invariant(__write_implies(out, //~? assertion
               __atomic_has_taken_value(counter, 0, __write_offset_bytes(out) / sizeof(int)))), true) {
        uint ticket = atomic_inc(counter);
        out[2 * ticket] = 1;
        if (ticket > get_global_id(0)) {
            break;
        }
    }
}
