//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As skipped_rows.cl, but rows overlap.

__kernel void skipped_rows_defect(__global int *out, int rows)
{
    int lid = get_local_id(0);
    int at = lid;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 5; c++) {
            out[at] = lid; //~ race
            at += 64;
        }
        at -= 63;
    }
}
