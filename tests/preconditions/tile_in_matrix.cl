//conditional: first >= 0 && width >= 0 && width >= 8l + first + get_global_size(0)
//--local_size=[8,8] --num_groups=[*,*]
// contract: first >= 0 && width > 16 && first <= width - 16 && get_num_groups(0) <= (width - first - 8) / 8
// Tiles of a matrix behind the one on the diagonal are scaled in place. A row must have all columns.

__kernel void scale_tiles(__global float *m, int width, int first)
{
    int column = first + 8 * (get_group_id(0) + 1) + get_local_id(0);
    int row = first + 8 * (get_group_id(1) + 1) + get_local_id(1);
    m[row * width + column] *= m[first * width + first];
#ifdef DEFECT
    m[row * width] = 1;
#endif
}
