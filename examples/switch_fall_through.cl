//pass
//--local_size=64 --num_groups=16
// A switch whose cases fall through: a record has four cells, and its kind says how many of
// them, counted from the first, are filled.

#define CELLS 4

__kernel void fill_records(__global const int *kinds, __global int *records)
{
    int gid = get_global_id(0);
    __global int *record = records + CELLS * gid;
    switch (kinds[gid]) {
    case 4:
        record[3] = gid;
    case 3:
        record[2] = gid;
    case 2:
        record[1] = gid;
    case 1:
        record[0] = gid;
        break;
    default:
        break;
    }
}
