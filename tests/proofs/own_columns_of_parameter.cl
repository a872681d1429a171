//pass
//--local_size=64 --num_groups=4
// open sizes too
// Each thread goes down its column of a matrix whose width is a parameter.

__kernel void own_columns_of_parameter(__global float *a, int width, int rows)
{
    int column = get_global_id(0);
    if (column < width) {
        int at = column;
        for (int row = 0; row < rows; row++) {
            a[at] *= 2;
            at += width;
        }
    }
}
