//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// As in_step.cl, but the second half comes first.

__kernel void in_step_defect(__global int *out, int rounds, int half_length)
{
    int lid = get_local_id(0);
    int half_start = half_length;
    for (int r = 0; r < rounds; r++) {
        out[half_start == ((r & 1) ? half_length : 0) ? lid : 64] = r + lid; //~ race
        half_start = half_length - half_start;
    }
}
