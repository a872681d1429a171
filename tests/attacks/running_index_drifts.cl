//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// An index runs through two loops, but threads do not advance it alike: in half of them the inner loop runs twice. What
// one sum for both threads says does not hold of them.

__kernel void running_index_drifts(__global int *out, int rows)
{
    int lid = get_local_id(0);
    int at = lid;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c <= (lid & 1); c++) {
            out[at] = lid; //~ race
            at += 64;
        }
        at -= lid & 1;
    }
}
