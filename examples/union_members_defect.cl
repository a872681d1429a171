//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As union_members.cl, but the even work-item writes the whole word, and with it the half that
// belongs to the odd one.

union cell {
    uint word;
    ushort half_word[2];
};

__kernel void fill_cells(__global union cell *cells, __global const uint *values)
{
    uint gid = get_global_id(0);
    if (gid % 2 == 0) {
        cells[gid / 2].word = values[gid]; //~ race
    } else {
        cells[gid / 2].half_word[1] = values[gid]; //~ race
    }
}
