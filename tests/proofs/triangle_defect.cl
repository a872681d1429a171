//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As triangle.cl, but rows overlap.

__kernel void triangle_defect(__global float *out, int n)
{
    int row = get_global_id(0);
    for (int column = 0; column <= row; column++) {
        out[row * 64 + column] = row - column; //~ race
    }
}
