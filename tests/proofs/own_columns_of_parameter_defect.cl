//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// open sizes too
// As own_columns_of_parameter.cl, but a column too many.

__kernel void own_columns_of_parameter_defect(__global float *a, int width, int rows)
{
    int column = get_global_id(0);
    if (column <= width) {
        int at = column;
        for (int row = 0; row < rows; row++) {
            a[at] *= 2; //~ race
            at += width;
        }
    }
}
