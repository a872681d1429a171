//pass
//--local_size=64 --num_groups=4
// What is written is where the thread's numbers say.
__kernel void taken(__global uint *counter, __global int *out)
{
    while (__invariant(__write_implies(out,
               __atomic_has_taken_value(counter, 0, __write_offset_bytes(out) / sizeof(int)))), true) {
        uint ticket = atomic_inc(counter);
        out[ticket] = 1;
        if (ticket > get_global_id(0)) {
            break;
        }
    }
}
