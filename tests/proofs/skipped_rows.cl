//pass
//--local_size=64 --num_groups=1
// An inner loop advances the index, and after it the index skips to the next row.

__kernel void skipped_rows(__global int *out, int rows)
{
    int lid = get_local_id(0);
    int at = lid;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 5; c++) {
            out[at] = lid;
            at += 64;
        }
        at += 128;
    }
}
