//pass
//--local_size=64 --num_groups=2
// As running_index.cl, over a number of columns that is not known.

__kernel void running_index_open(__global int *out, int rows, int columns)
{
    int at = get_global_id(0);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            out[at] = get_global_id(0);
            at += 128;
        }
    }
}
