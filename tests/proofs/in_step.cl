//pass
//--local_size=64 --num_groups=1
// The half in use changes in each round: it is the second one in odd rounds, however long halves are.
// needs recurrences

__kernel void in_step(__global int *out, int rounds, int half_length)
{
    int lid = get_local_id(0);
    int half_start = 0;
    for (int r = 0; r < rounds; r++) {
        out[half_start == ((r & 1) ? half_length : 0) ? lid : 64] = r + lid;
        half_start = half_length - half_start;
    }
}
