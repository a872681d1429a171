//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As running_index_open.cl, but the step is one too small.

__kernel void running_index_open_defect(__global int *out, int rows, int columns)
{
    int at = get_global_id(0);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            out[at] = get_global_id(0); //~ race
            at += 127;
        }
    }
}
