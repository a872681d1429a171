//pass
//--local_size=56 --num_groups=2
// One index runs through two nested loops.

__kernel void running_index(__global int *out, int rows)
{
    int at = get_global_id(0);
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < 30; c++) {
            out[at] = get_global_id(0);
            at += 112;
        }
    }
}
