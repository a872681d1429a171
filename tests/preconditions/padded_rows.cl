//conditional: width >= 15
//--local_size=[16,8] --num_groups=[1,*]
// contract: width > 20
// Each row has two cells more than it has columns: the first and the last one are its border. So the width of a row is a
// parameter and a constant.

__kernel void relax(__global float *cells, __global const float *force, int width)
{
    int row = get_group_id(1) * 8 + get_local_id(1) + 1;
    int at = row * (width + 2) + get_local_id(0) + 1;
#ifdef DEFECT
    cells[at - 1] = force[at] + 0.5f * cells[at];
#else
    cells[at] = force[at] + 0.5f * cells[at];
#endif
}
