//pass
//--local_size=64 --num_groups=4
// Each thread keeps to its own four elements, and leaves the counts alone.
__kernel void accesses(__global int *out, __global const int *counts)
{
    for (int i = 0;
         __invariant(__write_implies(out, __write_offset_bytes(out) / sizeof(int) / 4 == get_global_id(0))),
         __invariant(__no_read(out)),
         i < 4; i++) {
        out[get_global_id(0) * 4 + i] = counts[get_global_id(0)];
    }
    __assert(__no_write(counts));
    __assert(__read_implies(counts, __read_offset_bytes(counts) == get_global_id(0) * sizeof(int)));
}
