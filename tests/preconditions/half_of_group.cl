//conditional: first >= 0; width >= 8l + first
//--local_size=16 --num_groups=1
// contract: first >= 0 && first < 1000 && width >= first + 10
// The first half of a group scales a tile of eight rows and columns: ids that a comparison bounds make columns.

__kernel void scale_tile(__global float *m, int width, int first)
{
    int column = get_local_id(0);
    if (column < 8) {
        for (int row = 0; row < 8; row++) {
#ifdef DEFECT
            m[row * width + first] *= 2.0f;
#else
            m[row * width + first + column] *= 2.0f;
#endif
        }
    }
}
