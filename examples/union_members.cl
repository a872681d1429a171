//pass
//--local_size=64 --num_groups=16
// open sizes too
// Two work-items share a union: the even one writes the lower half of the word, the odd one
// the upper half. Different members, different bytes.

union cell {
    uint word;
    ushort half_word[2];
};

__kernel void fill_cells(__global union cell *cells, __global const uint *values)
{
    uint gid = get_global_id(0);
    if (gid % 2 == 0) {
        cells[gid / 2].half_word[0] = values[gid];
    } else {
        cells[gid / 2].half_word[1] = values[gid];
    }
}
