//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Two loops that goto makes one: a work-item may go back from the second to the first, where
// it may come to write a fifth element, its neighbour's first.

__kernel void goto_two_loops(__global const int *in, __global uint *out)
{
    uint gid = get_global_id(0);
    uint i = 0;
    uint j = 0;
first:
    out[gid * 4 + i] = gid; //~ race
    i++;
    if (i < 3) {
        goto first;
    }
second:
    j++;
    if (j < 4 && in[gid + j] > 0) {
        goto second;
    }
    if (j < 4 && in[gid + j] < 0) {
        goto first;
    }
}
