//pass
//--local_size=64 --num_groups=1
// Once written, it is; a loop may do that, or a copy.

struct pair {
    char kind;
    int content[4];
};

__kernel void uninitialised_read_twice_written(__global int *out, __global int *other, uint n, int s)
{
    int values[4];
    values[n & 3] = s;
    if (values[n & 3] == 1) {
        if (values[n & 3] == 2) {
            out[0] = get_local_id(0);
        }
    }
    struct pair pair, copy;
    pair.kind = 1;
    for (int i = 0; i < 4; i++)
        pair.content[i] = s;
    copy = pair;
    if (copy.kind != 1)
        out[0] = get_local_id(0);
    if (copy.content[n & 3] < 64 && copy.content[n & 3] > 64)
        other[0] = get_local_id(0);
}
